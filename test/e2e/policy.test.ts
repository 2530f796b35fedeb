import { fileURLToPath } from "node:url";
import { createRouter, type Librarian, type Response as MeshResponse } from "@constellation/core";
import { createK8sLibrarian } from "@constellation/librarian-k8s";
import {
  type Approval,
  createMemoryCatalog,
  createWorkflowSelectorLibrarian,
  type WorkflowSelection,
} from "@constellation/librarian-workflow-selector";
import { createServer } from "@constellation/server";
import { describe, expect, it, onTestFinished } from "vitest";

const incident = (path: string) =>
  fileURLToPath(new URL(`../../examples/incident/${path}`, import.meta.url));
const recreate = {
  workflow_id: "recreate",
  version: "1.0.0",
  description: "Deletes the deployment after OOMKilled containers and creates it with more memory",
  labels: { environment: "*", priority: "*", risk_tolerance: "high", business_category: "*" },
};
const k8s = createK8sLibrarian({ snapshot: incident("cluster") });

/** The selector beside these librarians. Without the k8s librarian nothing observes the cluster. */
function meshOf({
  catalog = [recreate],
  observers = [k8s],
}: {
  readonly catalog?: readonly object[];
  readonly observers?: readonly Parameters<ReturnType<typeof createRouter>["register"]>[0][];
} = {}) {
  const router = createRouter({ entry: "workflow-selector" });
  router.register(createWorkflowSelectorLibrarian({ store: createMemoryCatalog(catalog) }));
  for (const one of observers) router.register(one);
  return router;
}

/** The same catalog, with a risk that production allows. */
const safe = [{ ...recreate, labels: { ...recreate.labels, risk_tolerance: "low" } }];
/** A Deployment that is killed for its memory, in a namespace that is labelled as production. */
const alert = {
  signal_type: "OOMKilled",
  namespace: "production",
  resource_kind: "Deployment",
  resource_name: "checkout",
};
const killed = {
  signal_type: "OOMKilled",
  target_resource: "production/Deployment/checkout",
  error_message: "The container was killed: it needs more memory than its limit.",
};

function read({ metadata, answer = "" }: Awaited<ReturnType<ReturnType<typeof meshOf>["ask"]>>) {
  return {
    answer,
    policy: metadata?.policy as { readonly countsAs: string; readonly conflicts: string[] },
    approval: metadata?.approval as Approval, // what the librarian puts there
    selection: metadata?.workflowSelection as WorkflowSelection,
  };
}

describe("an alert about a namespace that is labelled as production", () => {
  it.each([undefined, "production", "prod", "PROD-EU"])(
    "is an alert about production where it says %s",
    async (environment) => {
      const query = JSON.stringify({ ...alert, environment, risk_tolerance: "low" });
      const { policy, selection } = read(await meshOf().ask(query));

      expect(policy).toEqual({ countsAs: "production", conflicts: [] });
      expect(selection.strategies).toEqual([]);
    },
  );

  it.each(["staging", "dev", "test", "blue"])(
    "goes to a person, with the reason, where it says %s",
    async (environment) => {
      const query = JSON.stringify({ ...alert, environment });
      const { answer, policy, approval, selection } = read(
        await meshOf({ catalog: safe }).ask(query),
      );

      expect(selection.strategies[0]?.workflow_id).toBe("recreate");
      expect(policy.countsAs).toBe("production");
      expect(approval.humanReview).toBe(true);
      expect(approval.reasons.join()).toContain("`production` as the environment");
      expect(answer).toContain(`the alert \`${environment}\``);
    },
  );

  it("never gets a workflow of high risk, whatever it and its caller say", async () => {
    const query = JSON.stringify({ ...alert, environment: "staging", risk_tolerance: "high" });
    const metadata = {
      environment: "dev",
      risk_tolerance: "high",
      signal: { environment: "test" },
    };

    expect(read(await meshOf().ask(query, { metadata })).selection.strategies).toEqual([]);
  });
});

describe("facts of a caller", () => {
  const claims = {
    facts: [{ ...killed, environment: "test", namespace_labels: { environment: "test" } }],
  };

  it("over HTTP are claims: the cluster is asked, and its environment counts", async () => {
    const server = await createServer(meshOf({ catalog: safe }), {});
    onTestFinished(() => server.close());
    const { url } = await server.listen();
    const response = await fetch(new URL("/ask", url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "What should we run to fix checkout?", metadata: claims }),
    });
    const { approval, policy, selection } = read((await response.json()) as MeshResponse);

    expect(selection.analysis_summary).toContain("`OOMKilled` was observed");
    expect(policy.countsAs).toBe("production");
    expect(approval.humanReview).toBe(true);
    expect(approval.reasons.join()).toContain("the caller `test`");
  });

  it("describe what is asked where nothing observes, and open no gate", async () => {
    const router = meshOf({ catalog: safe, observers: [] });
    const { answer, approval, policy, selection } = read(
      await router.ask("What should we run?", { metadata: claims }),
    );

    expect(selection.strategies[0]?.workflow_id).toBe("recreate");
    expect(answer).not.toContain("`OOMKilled` was observed");
    expect(policy).toMatchObject({
      countsAs: "production",
      reason: "its environment `test` was not observed and counts as production",
    });
    expect(approval.reasons).toContain("nothing was observed of what was reported");
  });

  it("are observed where the caller is trusted", async () => {
    const router = meshOf({ catalog: safe, observers: [] });
    const { answer, approval, policy } = read(
      await router.ask("What should we run?", { metadata: claims, observed: true }),
    );

    expect(answer).toContain("`OOMKilled` was observed");
    expect(policy.countsAs).toBe("not production");
    expect(approval.reasons.join()).not.toContain("observed");
  });
});

describe("facts of a librarian", () => {
  const librarian =
    (facts: readonly object[]): Librarian =>
    async () => ({ answer: "OOMKilled", metadata: { facts } });
  const observer = (facts: readonly object[], capabilities: readonly string[]) => ({
    id: "cluster",
    description: "Reads the cluster.",
    capabilities,
    librarian: librarian(facts),
  });
  const staging = { ...killed, namespace_labels: { environment: "staging" } };
  /** A selector that asks no one. */
  const pickerOf = () =>
    createWorkflowSelectorLibrarian({
      store: createMemoryCatalog(safe),
      id: "picker",
      delegatesTo: [],
    });
  const askOf = async (one: ReturnType<typeof observer>) =>
    read(
      await meshOf({ catalog: safe, observers: [one] }).ask(
        JSON.stringify({ ...alert, environment: "staging" }),
      ),
    );

  it("state the environment by the labels of the namespace, and not by what they may repeat", async () => {
    const labelled = await askOf(observer([staging], ["kubernetes.facts"]));
    const repeated = await askOf(
      observer(
        [{ ...killed, environment: "staging", signal: { environment: "staging" } }],
        ["kubernetes.facts"],
      ),
    );

    expect(labelled.policy.countsAs).toBe("not production");
    expect(repeated.policy.countsAs).toBe("production");
  });

  it("of another capability are claims", async () => {
    const desk = {
      ...observer([staging], ["tickets"]),
      librarian: async () => ({
        answer: "See below.",
        metadata: { facts: [staging] },
        delegate: { to: "workflow-selector", context: { facts: [staging] } },
      }),
    };
    const router = meshOf({ catalog: safe, observers: [desk] });
    const { approval } = read(await router.ask("What should we run?", { to: "cluster" }));

    expect(approval.reasons).toContain("nothing was observed of what was reported");
  });

  it.each([
    ["are observed when they are passed on as they are", (facts: readonly object[]) => facts, true],
    [
      "are claims when they are copied",
      (facts: readonly object[]) => structuredClone(facts),
      false,
    ],
  ])("%s", async (_, pass, isObserved) => {
    const desk: Librarian = async (_query, { ask } = {}) => {
      const { metadata } = (await ask?.("Why does checkout crash?", { to: "cluster" })) ?? {};
      const facts = pass(metadata?.facts as readonly object[]); // what the librarian above gives
      return { delegate: { to: "picker", query: "Which workflow?", context: { facts } } };
    };
    const router = createRouter({ entry: "desk" });
    router.register(pickerOf());
    router.register(observer([staging], ["kubernetes.facts"]));
    router.register({ id: "desk", description: "Passes on.", librarian: desk });
    const { answer, approval } = read(await router.ask("Fix checkout."));

    expect(answer.includes("`OOMKilled` was observed")).toBe(isObserved);
    expect(approval.humanReview).toBe(!isObserved);
  });

  it("are observed when their librarian delegates with them", async () => {
    const reader: Librarian = async () => {
      const facts = [staging];
      return {
        answer: "OOMKilled",
        metadata: { facts },
        delegate: { to: "picker", query: "Which workflow?", context: { facts } },
      };
    };
    const router = createRouter({ entry: "cluster" });
    router.register(pickerOf());
    router.register({ ...observer([], ["kubernetes.facts"]), librarian: reader });
    const response = await router.ask("What should we run to fix checkout?");

    expect(response.answer).toContain("`OOMKilled` was observed");
  });
});

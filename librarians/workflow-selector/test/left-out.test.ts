import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import {
  createMemoryCatalog,
  createWorkflowSelectorLibrarian,
  type WorkflowSelection,
} from "../src/index.js";
import type { WorkflowSelectorOptions } from "../src/options.js";
import { entry } from "./workflows.js";

/** What the selector answers beside a librarian that observes these facts. */
async function ask(
  query: string | object,
  options: WorkflowSelectorOptions,
  facts: readonly object[],
) {
  const observer: Librarian = async () => ({ answer: "x", metadata: { facts } });
  const router = createRouter({ entry: "workflow-selector" });
  router.register(createWorkflowSelectorLibrarian(options));
  router.register({
    id: "k8s",
    description: "Reads the cluster.",
    capabilities: ["kubernetes.facts"],
    librarian: observer,
  });
  const response = await router.ask(typeof query === "string" ? query : JSON.stringify(query));
  await router.close();
  return response;
}

const object = { namespace: "shop", resource_kind: "Deployment", resource_name: "cart" };
const fact = { ...object, signal_type: "CrashLoopBackOff", error_message: "panic: nil map" };
const alert = { ...object, signal_type: "KubePodCrashLooping" };
const labels = { environment: "*", priority: "*", risk_tolerance: "low" };
const rollBack = entry("roll-back", {
  description: "Rolls back a release whose program crashes to the previous version",
  labels: { ...labels, risk_tolerance: "medium" },
});
const restart = entry("restart", {
  description: "Restarts a program that hangs or crashes",
  labels,
});

const rollBackSafely = { ...rollBack, labels };

describe("a workflow that the filter leaves out", () => {
  it("is named, and nothing that fits less is proposed in its place", async () => {
    const store = createMemoryCatalog([rollBack, restart]);
    const { error, answer } = await ask(alert, { store }, [fact]);

    expect(error?.code).toBe("NOT_FOUND");
    expect(answer).toContain("roll-back was left out: risk medium, production allows low.");
  });

  it("and fits clearly better has nothing in its place, though another one would be proposed without it", async () => {
    const replace = entry("replace-broker", {
      description: "Replaces a dead broker whose disk failed by a spare machine that is free",
      labels: { ...labels, risk_tolerance: "high" },
    });
    const again = entry("start-broker", { description: "Starts a dead broker again", labels });
    const dead = {
      ...object,
      signal_type: "BrokerDead",
      finding: "the broker is dead since its disk failed; a spare machine is free",
    };
    const proposedOf = async (...workflows: readonly object[]) => {
      const store = createMemoryCatalog(workflows);
      const { metadata } = await ask({ ...object, signal_type: "BrokerDead" }, { store }, [dead]);
      const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
      return selection?.strategies.map(({ workflow_id }) => workflow_id);
    };

    expect(await proposedOf(again)).toEqual(["start-broker"]);
    expect(await proposedOf(again, replace)).toEqual([]);
  });

  it("is proposed where its risk is allowed", async () => {
    const store = createMemoryCatalog([rollBack, restart]);
    const staging = { ...fact, namespace_labels: { environment: "staging" } };
    const { answer } = await ask(alert, { store }, [staging]);

    expect(answer).toContain("**roll-back 1.0.0** is proposed");
  });
});

describe("what a workflow asks of an object", () => {
  const conditional = { ...rollBackSafely, detected_labels: { pdbProtected: "true" } };
  const store = createMemoryCatalog([conditional]);
  const reasons = async (detected_labels: object) => {
    const { metadata } = await ask(alert, { store }, [{ ...fact, detected_labels }]);
    return JSON.stringify(metadata?.approval);
  };

  it("has a person look where it is not known", async () => {
    expect(await reasons({ stateful: false })).toContain("is met is not known");
    expect(await reasons({ pdbProtected: true })).not.toContain("is not known");
  });
});

describe("an entry below the minimum of the confidence", () => {
  it("is not proposed", async () => {
    const options = { store: createMemoryCatalog([restart]), minConfidence: 1 };
    const { metadata } = await ask(alert, options, [fact]);

    expect(metadata?.workflowSelection).toMatchObject({ strategies: [] });
  });
});

describe("a sentence without a word for a trouble", () => {
  const store = createMemoryCatalog([rollBackSafely]);

  it("is about one where it names an object that is in trouble", async () => {
    const { answer } = await ask("cart does odd things since lunch", { store }, [fact]);

    expect(answer).toContain("**roll-back 1.0.0** is proposed");
  });

  it("is about none where it names another one", async () => {
    const { error } = await ask("who wrote the mailer?", { store }, [fact]);

    expect(error?.details?.reason).toBe("out-of-domain");
  });
});

describe("entries of a catalog that cannot be read", () => {
  const broken = { workflow_id: "broken", version: "1.0.0", labels: {} };

  it("are named beside what the others give, which is marked as partial", async () => {
    const store = createMemoryCatalog([restart, broken]);
    const { answer, partial, metadata } = await ask(alert, { store }, [fact]);

    expect(answer).toContain("restart");
    expect(partial).toBe(true);
    expect(metadata?.catalogProblems).toEqual([expect.stringContaining("broken: description")]);
  });

  it("are an error where there are no others, with each of them", async () => {
    const store = createMemoryCatalog([broken]);
    const { error } = await ask(alert, { store }, [fact]);

    expect(error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      details: { problems: [expect.stringContaining("broken: description")] },
    });
  });
});

describe("the causes of one signal", () => {
  const store = createMemoryCatalog([
    entry("fix-tag", { description: "Sets an image tag that the registry has", labels }),
    entry("renew-login", {
      description: "Renews a pull secret where the registry refuses the credentials",
      labels,
    }),
  ]);

  it.each([
    ['Failed to pull image "a:1": manifest unknown', "fix-tag"],
    ['Failed to pull image "a:1": failed to authorize: 401', "renew-login"],
  ])("are told apart by its message: %s", async (error_message, wanted) => {
    const pull = { ...object, signal_type: "ImagePullBackOff", error_message };
    const { answer } = await ask({ ...alert, signal_type: "KubePodNotReady" }, { store }, [pull]);

    expect(answer).toContain(`**${wanted} 1.0.0** is proposed`);
  });
});

describe("parameters", () => {
  const filled = async (names: readonly string[], facts: object) => {
    const parameters = names.map((name) => ({ name, type: "string", required: true }));
    const store = createMemoryCatalog([{ ...rollBackSafely, parameters }]);
    const { metadata } = await ask(alert, { store }, [{ ...fact, ...facts }]);
    const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
    return selection?.strategies[0]?.parameters;
  };

  it("are objects that the message of the cluster names", async () => {
    const names = ["SECRET_NAME", "QUOTA", "CONFIG_MAP"];

    expect(await filled(names, { named_objects: ["Secret/smtp"] })).toEqual({
      SECRET_NAME: "smtp",
    });
    expect(await filled(names, { named_objects: ["ResourceQuota/team"] })).toEqual({
      QUOTA: "team",
    });
  });

  it("are not the settings that a workflow makes anew, but where they ask for the current ones", async () => {
    const names = ["MEMORY_LIMIT", "CURRENT_MEMORY_LIMIT", "targetNamespace", "WORKLOAD"];

    expect(await filled(names, { memory_limit: "256Mi" })).toEqual({
      CURRENT_MEMORY_LIMIT: "256Mi",
      targetNamespace: "shop",
      WORKLOAD: "cart",
    });
  });

  it("are kind and name of the target only where both are asked for", async () => {
    expect(await filled(["kind", "name"], {})).toEqual({ kind: "Deployment", name: "cart" });
    expect(await filled(["name"], {})).toEqual({});
  });

  it("are objects by the last word of their kind, where no other kind ends in it", async () => {
    expect(
      await filled(["POLICY", "EXTERNAL_SECRET_NAME"], {
        named_objects: ["NetworkPolicy/clients"],
      }),
    ).toEqual({ POLICY: "clients" });
  });

  it("are the release of Helm and the application of Argo CD, and an app where it has one name with both", async () => {
    const detected_labels = { helmRelease: "cart-7", gitOpsApplication: "shop-apps" };

    expect(await filled(["HELM_RELEASE", "application", "app"], { detected_labels })).toEqual({
      HELM_RELEASE: "cart-7",
      application: "shop-apps",
    });
    expect(await filled(["app"], { detected_labels: { gitOpsApplication: "cart" } })).toEqual({
      app: "cart",
    });
  });
});

describe("the target of a workflow", () => {
  it("is the object that the trouble follows from, where it is of one kind with the reported one", async () => {
    const parameters = ["kind", "name"].map((name) => ({ name, type: "string", required: true }));
    const scaleUp = entry("scale-up", {
      description: "Scales a workload up that was scaled to zero replicas",
      labels,
      parameters,
    });
    const store = createMemoryCatalog([scaleUp]);
    const stopped = "shop/apps/Deployment/sessions";
    const { metadata } = await ask(alert, { store }, [
      { ...fact, caused_by: { signal_type: "ScaledToZero", target_resource: stopped } },
      {
        signal_type: "ScaledToZero",
        target_resource: stopped,
        finding: "Deployment sessions is scaled to 0 replicas, so it runs no pods",
      },
    ]);
    const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there

    expect(selection?.strategies[0]?.parameters).toEqual({ kind: "Deployment", name: "sessions" });
  });
});

describe("what a tool manages", () => {
  const change = {
    what: "the newest revision fails, revision 4 after 3: image of cart from cart:1 to cart:2",
  };
  const inGit = entry("revert-commit", {
    description:
      "Reverts a release whose program crashes to the previous version, by a commit that Argo CD syncs",
    labels,
  });

  it("is changed by that tool, and by hand where none does", async () => {
    const store = createMemoryCatalog([rollBackSafely, inGit]);
    const managed = { detected_labels: { gitOpsManaged: true, gitOpsTool: "argocd" } };
    const byHand = { detected_labels: { gitOpsManaged: false } };
    const inGitOps = await ask(alert, { store }, [{ ...fact, change, ...managed }]);
    const withoutTool = await ask(alert, { store }, [{ ...fact, change, ...byHand }]);

    expect(inGitOps.answer).toContain("**revert-commit 1.0.0** is proposed");
    expect(withoutTool.answer).toContain("**roll-back 1.0.0** is proposed");
  });
});

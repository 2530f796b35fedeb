import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import {
  type Approval,
  createMemoryCatalog,
  createWorkflowSelectorLibrarian,
  type WorkflowSelection,
} from "../src/index.js";
import { judgePick, listDoubts } from "../src/proposal/doubts.js";
import { pickProbability, readScoreModel } from "../src/search/score-model.js";
import { explainSignal } from "../src/search/signals.js";
import { entry } from "./workflows.js";

const labels = { environment: "*", priority: "*", risk_tolerance: "low" };
const store = createMemoryCatalog([
  entry("raise-memory", {
    description: {
      what: "Raises the memory limit of a container",
      whenToUse: "The container was OOMKilled: it ran out of memory",
    },
    labels,
  }),
  entry("restore-secret", {
    description: {
      what: "Puts a Secret that does not exist in place again",
      whenToUse: "A pod needs a Secret that does not exist",
      whenNotToUse: "An smtp relay",
    },
    labels,
  }),
  entry("start-program-again", {
    description:
      "Starts the program of a container anew that exits again and again after it starts",
    labels,
  }),
  entry("add-consumers", {
    description: "Adds consumers where the lag of a consumer group grows",
    labels,
  }),
  entry("enlarge-claim", {
    description:
      "Enlarges a persistent volume claim that is full: the file system has no space left",
    detected_labels: { storageExpandable: "true" },
    labels,
  }),
]);

const cart = { namespace: "shop", resource_kind: "Deployment", resource_name: "cart" };
const oom = { ...cart, signal_type: "OOMKilled", finding: "container app was OOMKilled" };

async function ask(query: unknown, observer?: Librarian) {
  const router = createRouter({ entry: "workflow-selector" });
  router.register(createWorkflowSelectorLibrarian({ store }));
  if (observer !== undefined) {
    router.register({
      id: "k8s",
      description: "Reads the cluster.",
      capabilities: ["kubernetes.facts"],
      librarian: observer,
    });
  }
  const { answer = "", metadata } = await router.ask(
    typeof query === "string" ? query : JSON.stringify(query),
  );
  await router.close();
  const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
  const approval = metadata?.approval as Approval | undefined;
  const selected = selection?.strategies[0]?.workflow_id;
  const confidence = selection?.strategies[0]?.confidence;
  return { answer, selected, confidence, reasons: approval?.reasons ?? [] };
}

function observing(fact: object, environment = "staging"): Librarian {
  const namespace_labels = { environment };
  return async () => ({ answer: "x", metadata: { facts: [{ ...fact, namespace_labels }] } });
}

function webhook(alertname: string, summary: string) {
  const own = { alertname, namespace: "shop", deployment: "cart", severity: "warning" };
  const alerts = [{ status: "firing", labels: own, annotations: { summary } }];
  return { version: "4", status: "firing", receiver: "mesh", alerts };
}

describe("a question that orders a repair", () => {
  const observer: Librarian = async (query) =>
    query.includes("basket")
      ? {
          error: {
            code: "NOT_FOUND",
            message: "No such object.",
            retryable: false,
            details: { reason: "no-information" },
          },
        }
      : { answer: "x", metadata: { facts: [oom] } };

  it.each([
    "basket in shop crash loops, fix it please",
    "basket in shop has no pods, could you fix?",
  ])("asks what is wrong with what it names, not with all there is: %s", async (query) => {
    expect((await ask(query, observer)).selected).toBeUndefined();
  });
});

describe("the payload of an alerting system, where nothing was observed,", () => {
  it("gets no proposal for what a cluster would show, but what may fit", async () => {
    const { answer, selected } = await ask(webhook("ContainerOOMKilled", "cart ran out of memory"));

    expect(selected).toBeUndefined();
    expect(answer).toContain("May fit: raise-memory");
  });

  it("gets one, with a person, for what only a metric shows", async () => {
    const { selected, confidence, reasons } = await ask(
      webhook("KafkaConsumerLag", "the lag of consumer group cart grows"),
    );

    expect(selected).toBe("add-consumers");
    expect(confidence).toBe(0.65);
    expect(reasons).toContain("nothing was observed of what was reported");
  });

  it("gets none where it names no object, but what may fit", async () => {
    const { alerts, ...rest } = webhook("KafkaConsumerLag", "the lag of a consumer group grows");
    const [{ labels: own, ...alert }] = alerts as [(typeof alerts)[number]];
    const { deployment: _, ...placed } = own;
    const { answer, selected } = await ask({ ...rest, alerts: [{ ...alert, labels: placed }] });

    expect(selected).toBeUndefined();
    expect(answer).toContain("May fit: add-consumers");
  });
});

describe("a question of a person, where no librarian could look,", () => {
  it.each([
    ["cart in shop is OOMKilled, which workflow helps?", "raise-memory"],
    ["the lag of consumer group cart grows, which workflow adds consumers?", undefined],
  ])("gets a proposal only where it names a known trouble: %s", async (question, expected) => {
    expect((await ask(question)).selected).toBe(expected);
  });
});

describe("what was observed", () => {
  const full = {
    ...cart,
    signal_type: "CrashLoopBackOff",
    finding: "no space left in the file system of PersistentVolumeClaim data",
  };

  it.each([
    ["true", "enlarge-claim"],
    ["false", undefined],
  ])("decides whether a condition is met: storageExpandable %s", async (value, expected) => {
    const fact = { ...full, detected_labels: { storageExpandable: value } };

    expect((await ask(webhook("KubePodCrashLooping", ""), observing(fact))).selected).toBe(
      expected,
    );
  });

  it("asks no one outside production where only words of the trouble deny what the workflow says", async () => {
    const fact = {
      ...cart,
      signal_type: "MissingReference",
      finding: 'a Secret that the pod needs does not exist: secret "smtp" not found',
      last_event: "smtp login of the pod",
    };

    expect(await ask(webhook("KubePodNotReady", ""), observing(fact))).toMatchObject({
      selected: "restore-secret",
      reasons: [],
    });
    const inProduction = await ask(webhook("KubePodNotReady", ""), observing(fact, "production"));
    expect(inProduction.reasons.join()).toContain("speaks against it");
  });

  it.each([
    ["production", true],
    ["staging", false],
  ])("asks for what Helm manages: in %s %s", async (environment, expected) => {
    const fact = { ...oom, detected_labels: { helmManaged: true } };
    const { selected, reasons } = await ask(
      webhook("KubePodCrashLooping", ""),
      observing(fact, environment),
    );

    expect(selected).toBe("raise-memory");
    expect(reasons.some((reason) => reason.startsWith("Helm manages"))).toBe(expected);
  });

  it.each([
    ["FailedScheduling", "3 node(s) didn't match pod affinity rules"],
    ["JobFailed", "Job was active longer than specified deadline"],
    ["CertificateNotReady", "Certificate expired on 2026-10-28"],
    ["ReadinessProbeFailed", "Readiness probe failed: Error: operation check_running failed"],
    ["FailedScheduling", "nodeName is quay-9, and there is no such node"],
    ["PVCPending", "rpc error: code = ResourceExhausted desc = too many disks"],
    ["CrashLoopBackOff", "ConfigMap ship-conf, which it uses, was edited at 10:02 UTC"],
  ])("shows the cause of %s: %s", (signal, message) => {
    expect(explainSignal(signal, [message]).causes).toMatchObject([{ means: expect.any(String) }]);
    expect(explainSignal(signal, ["something else"]).causes).toEqual([]);
  });

  it.each([
    "references non-existent config key: models.yaml",
    "couldn't find key a in Secret shop/b",
  ])("tells a key that is missing from an object that is: %s", (message) => {
    const [first] = explainSignal("MissingReference", [message]).causes;

    expect(first?.mends).toBe("Add the missing key to the ConfigMap or Secret");
  });

  it("leaves a doubt about a condition that is not met, also where a model selected the workflow", () => {
    const ranked = [
      {
        workflow: { id: "w", description: { what: "x" }, conditions: {} },
        conditions: { met: [], unmet: ["stateful: true"], unknown: [] },
        logit: 3,
      },
    ] as unknown as Parameters<typeof listDoubts>[1]; // all that is read of it
    const gathered = { evidence: "observed", incident: { facts: {} }, records: [] };

    expect(
      listDoubts(gathered as unknown as Parameters<typeof listDoubts>[0], ranked, false),
    ).toContain("its condition `stateful: true` is not met");
  });

  it("makes a workflow the more probably right the more of its use it meets", () => {
    const weights = { logit: 1, margin: 0, madeFor: 0, support: 1, bias: 0 };
    const probability = (support: number | undefined) =>
      pickProbability({ logit: 1, madeFor: 0, comparison: { support } }, undefined, weights);

    expect(probability(1)).toBeGreaterThan(probability(undefined));
    expect(probability(0)).toBeLessThan(probability(undefined));
  });

  it("is more surely to be the right one where a librarian looked and did not see what was reported", () => {
    const { pick, minimum } = readScoreModel();
    const between = (minimum.reported + minimum.unconfirmed) / 2;
    const logits = Array.from({ length: 400 }, (_, at) => at / 20 - 10);
    const logit = logits.find(
      (one) =>
        pickProbability({ logit: one, madeFor: undefined }, undefined, pick.reported) >= between,
    );
    const conditions = { met: [], unmet: [], unknown: [] };
    const ranked = [{ logit, madeFor: undefined, conditions }] as unknown as Parameters<
      typeof judgePick
    >[1]; // all that is read of it
    const isProposed = (given: object) =>
      judgePick({ evidence: "reported", ...given } as Parameters<typeof judgePick>[0], ranked)
        .isProposed; // all that is read of it

    expect(isProposed({})).toBe(true);
    expect(isProposed({ looked: ["k8s gave no facts"] })).toBe(false);
    expect(isProposed({ looked: ["k8s failed"], evidence: "unread" })).toBe(true);
  });
});

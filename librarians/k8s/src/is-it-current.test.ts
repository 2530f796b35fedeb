import { describe, expect, it } from "vitest";
import { ago, deployment, event, namespace, node, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly is_current?: boolean;
  }[];
  return { answer, signal: facts[0]?.signal_type, isCurrent: facts[0]?.is_current !== false };
}

const running = pod({
  name: "web-5d9-a",
  owner: ["ReplicaSet", "web-5d9"],
  labels: { app: "web" },
});
const evicted = pod({
  name: "web-5d9-old",
  owner: ["ReplicaSet", "web-5d9"],
  phase: "Failed",
  status: {
    reason: "Evicted",
    message: "The node was low on resource: ephemeral-storage.",
    startTime: ago(60 * 24 * 5),
    containerStatuses: [],
  },
});

describe("what is over", () => {
  it("is a pod that was evicted and replaced: history, and nothing that is wrong now", async () => {
    const objects = [namespace("shop"), node("n1"), ...deployment("web"), running, evicted];

    expect((await ask("is web down? there are evicted pods", objects)).signal).toBe("Healthy");
    const { signal, isCurrent } = await ask("why was web-5d9-old evicted?", objects);
    expect([signal, isCurrent]).toEqual(["Evicted", false]);
  });

  it("is not a pod that was evicted and has no one in its place", async () => {
    const { signal, isCurrent } = await ask("is web down?", [
      namespace("shop"),
      node("n1"),
      ...deployment("web", { ready: 0 }),
      evicted,
    ]);

    expect([signal, isCurrent]).toEqual(["Evicted", true]);
  });

  it("are the events of a pod that its workload has replaced", async () => {
    const { signal } = await ask("is web still crashing?", [
      namespace("shop"),
      node("n1"),
      ...deployment("web"),
      running,
      event(
        "Pod",
        "web-7c4-z",
        "BackOff",
        "Back-off restarting failed container web in pod web-7c4-z",
      ),
    ]);

    expect(signal).toBe("Healthy");
  });
});

describe("what has only just begun", () => {
  const starting = (seconds: number) => ({
    ...(pod({ name: "web-9f1-b", owner: ["ReplicaSet", "web-5d9"], phase: "Pending" }) as object),
    metadata: {
      name: "web-9f1-b",
      namespace: "shop",
      creationTimestamp: new Date(now - seconds * 1_000).toISOString(),
      ownerReferences: [{ kind: "ReplicaSet", name: "web-5d9", controller: true }],
    },
  });
  const [object, set] = deployment("web");
  const rollout = {
    ...object,
    status: { replicas: 2, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 },
  };

  it.each([
    [20, "Healthy"],
    [600, "ReplicasUnavailable"],
  ])("a pod of a rollout that is %i s old", async (seconds, expected) => {
    const { signal } = await ask("is deployment web ok?", [
      namespace("shop"),
      node("n1"),
      rollout,
      set,
      running,
      starting(seconds),
    ]);

    expect(signal).toBe(expected);
  });
});

describe("a status that is older than its spec", () => {
  it("is a finding, although every count in it is as wanted", async () => {
    const [object, set] = deployment("web");
    const stale = {
      ...object,
      metadata: { name: "web", namespace: "shop", uid: "uid-web", generation: 7 },
      status: { observedGeneration: 6, replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    };
    const { signal, answer } = await ask("deployment web still runs the old image, why?", [
      namespace("shop"),
      node("n1"),
      stale,
      set,
      running,
    ]);

    expect(signal).toBe("RolloutStuck");
    expect(answer).toContain("generation 6 of 7");
  });
});

describe("a word in a log that begins like the number of an error", () => {
  it("is not an error", async () => {
    const { signal } = await ask(
      "web fails now and then, is pod web-5d9-a well?",
      [namespace("shop"), node("n1"), ...deployment("web"), running],
      { "shop/web-5d9-a/web": "queue empty\nevery event was sent\n" },
    );

    expect(signal).not.toBe("ApplicationError");
  });
});

import { describe, expect, it } from "vitest";
import { crashing, event, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const set = (name: string, { wanted = 3, ready = 1, spec = {} } = {}) => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name, namespace: "shop", uid: `uid-${name}` },
  spec: { replicas: wanted, selector: { matchLabels: { app: name } }, ...spec },
  status: { replicas: ready, readyReplicas: ready, availableReplicas: ready },
});
const member = (name: string, index: number, container?: object) =>
  pod({
    name: `${name}-${index}`,
    owner: ["StatefulSet", name],
    labels: { app: name },
    ...(container !== undefined && { container }),
  });

async function ask(question: string, objects: readonly unknown[]) {
  const reader = createInMemoryReader({ objects, now });
  const {
    answer = "",
    error,
    metadata,
    sources = [],
  } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return {
    answer,
    error,
    signals: facts.map(({ signal_type }) => signal_type),
    sources: sources.map(({ name }) => name),
  };
}

describe("a pod that a StatefulSet wants and that is not there", () => {
  it("is answered for by its StatefulSet, with what its creation waits for", async () => {
    const { answer, signals, sources, error } = await ask("why is pod postgres-2 not running?", [
      set("postgres"),
      member("postgres", 0),
      member("postgres", 1, crashing),
    ]);

    expect(error).toBeUndefined();
    expect(signals).toContain("CrashLoopBackOff");
    expect(sources).toContain("shop/StatefulSet/postgres");
    expect(answer).toContain("pod postgres-2 is not created, because pods are made in order");
  });

  it("is answered for with the event that says why it was not made", async () => {
    const { answer, signals } = await ask("what is wrong with db-1?", [
      set("db", { wanted: 2 }),
      member("db", 0),
      event(
        "StatefulSet",
        "db",
        "FailedCreate",
        'create Pod db-1 in StatefulSet db failed error: pods "db-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=5, limited: pods=5',
      ),
    ]);

    expect(signals[0]).toBe("QuotaExceeded");
    expect(answer).toContain("db-1");
  });

  it("is not called healthy where the status counts it as ready", async () => {
    const { signals, answer } = await ask("is db-1 ok?", [
      set("db", { wanted: 2, ready: 2 }),
      member("db", 0),
    ]);

    expect(signals).toEqual(["ReplicasUnavailable"]);
    expect(answer).toContain("db-1 is not created, or not recorded");
  });

  it("counts from the first number that its StatefulSet gives", async () => {
    const { error } = await ask("is db-6 ok?", [
      set("db", { wanted: 2, ready: 1, spec: { ordinals: { start: 5 } } }),
      member("db", 5),
    ]);

    expect(error).toBeUndefined();
  });

  it("is not found where the StatefulSet does not want it", async () => {
    const { error } = await ask("is pod db-7 ok?", [set("db", { wanted: 2 }), member("db", 0)]);

    expect(error?.code).toBe("NOT_FOUND");
  });
});

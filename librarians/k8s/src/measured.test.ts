import { describe, expect, it } from "vitest";
import { ago, deployment, node, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const web = [
  ...deployment("web"),
  pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
];

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now });
  const {
    answer = "",
    confidence,
    partial,
    metadata,
  } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return { answer, confidence, partial, signals: facts.map(({ signal_type }) => signal_type) };
}

describe("a question after what is measured", () => {
  it.each([
    ["is web throttled?", "CPU throttling"],
    ["is web slow?", "latency"],
    ["is the throughput of web ok?", "the rate of requests"],
    ["is the error rate of web high?", "the rate of errors"],
    ["does web leak memory?", "use of CPU and memory"],
    ["is the performance of everything fine?", "latency"],
  ])("is not answered with Healthy where nothing was measured: %s", async (question, name) => {
    const { answer, partial, signals } = await ask(question, web);

    expect(signals).not.toContain("Healthy");
    expect(answer).toContain("cannot be judged");
    expect(answer).toContain(name);
    expect(partial).toBe(true);
  });

  it("is said not to be known where it asks for a figure", async () => {
    const { answer, signals } = await ask("how is the latency of web?", web);

    expect(signals).toEqual([]);
    expect(answer).toContain("atency of shop/Deployment/web cannot be told: it is measured");
  });

  it("is judged where the metrics that it is about were read", async () => {
    const reader = createInMemoryReader({
      objects: web,
      now,
      usage: [
        { kind: "Pod", namespace: "shop", name: "web-5d9-a", container: "web", memory: "90Mi" },
      ],
    });
    const { metadata } = await createK8sLibrarian({ reader }).librarian("does web leak memory?");

    expect(metadata?.facts).toMatchObject([{ signal_type: "Healthy" }]);
  });

  it("is not Healthy where logs that it is about were not read", async () => {
    expect((await ask("are there exceptions in web?", web)).signals).not.toContain("Healthy");
  });

  it("leaves a question after the state of things as it is", async () => {
    expect((await ask("is web ok?", web)).signals).toEqual(["Healthy"]);
  });
});

const lease = (name: string, minutes: number) => ({
  apiVersion: "coordination.k8s.io/v1",
  kind: "Lease",
  metadata: { name, namespace: "kube-node-lease" },
  spec: { holderIdentity: name, renewTime: ago(minutes) },
});
const beating = (name: string, minutes: number) => ({
  ...node(name),
  status: {
    conditions: [
      {
        type: "Ready",
        status: "True",
        reason: "KubeletReady",
        lastHeartbeatTime: ago(minutes),
        lastTransitionTime: ago(9_000),
      },
    ],
  },
});

describe("a node that is Ready by its status", () => {
  it("is not called healthy where its lease is old", async () => {
    const { signals, answer } = await ask("is node n1 ready?", [
      node("n1"),
      node("n2"),
      lease("n1", 90),
      lease("n2", 0),
    ]);

    expect(signals[0]).toBe("NodeNotReady");
    expect(answer).toContain("its kubelet last reported at 2026-03-01T10:30:00.000Z");
  });

  it("is not called healthy where its heartbeat is old and no lease was read", async () => {
    for (const question of ["is node n1 healthy?", "is the cluster ok?"]) {
      const { signals } = await ask(question, [beating("n1", 60), beating("n2", 2), ...web]);
      expect(signals[0]).toBe("NodeNotReady");
    }
  });

  it("is less sure where no other node shows that clocks agree", async () => {
    const { signals, confidence } = await ask("is node n1 healthy?", [beating("n1", 60)]);

    expect(signals[0]).toBe("NodeNotReady");
    expect(confidence).toBeLessThan(0.5);
  });

  it("is healthy where its lease is fresh, whatever the age of its heartbeat", async () => {
    const { signals } = await ask("is node n1 healthy?", [beating("n1", 60), lease("n1", 0)]);

    expect(signals).toEqual(["Healthy"]);
  });
});

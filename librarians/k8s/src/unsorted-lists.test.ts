import { describe, expect, it } from "vitest";
import { ago, node, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const objects = [
  pod({ name: "web-1", labels: { app: "web" } }),
  pod({ name: "api-1", labels: { app: "api" }, node: "n2" }),
  service("web", { app: "web" }),
  { ...service("edge", { app: "edge" }), spec: { type: "LoadBalancer", ports: [] } },
];

async function ask(question: string, of: readonly unknown[] = objects) {
  const reader = createInMemoryReader({ objects: of, now });
  const { answer = "", confidence } = await createK8sLibrarian({ reader }).librarian(question);
  return { answer, confidence };
}

describe("a list that a question narrows", () => {
  it.each([
    ["are there spotted pods?", '"spotted"'],
    ["which pods are larger than 1 gigabyte?", '"larger than 1"'],
    ["which services are internal only?", '"internal"'],
  ])("by what is not understood is not called sure: %s", async (question, word) => {
    const { answer, confidence } = await ask(question);

    expect(answer).toContain(`I could not tell what ${word}`);
    expect(confidence).toBeLessThan(0.5);
  });

  it.each([
    "list all pods",
    "how many services are there?",
    "list every service of type LoadBalancer",
  ])("is sure where all of it was used: %s", async (question) => {
    const { answer, confidence } = await ask(question);

    expect(answer).not.toContain("I could not tell");
    expect(confidence).toBeGreaterThan(0.7);
  });

  it.each([
    ["are there privileged pods?", ["web-1"]],
    ["which pods are older than 2 days?", ["web-1"]],
    ["which pods are younger than an hour?", ["api-1"]],
    ["list pods with more than 5 restarts", ["api-1"]],
    ["which pods restarted more than 5 times?", ["api-1"]],
    ["how many pods run envoy?", ["web-1"]],
    ["list the pods on n2", ["api-1"]],
  ])("holds only what fits: %s", async (question, names) => {
    const { answer, confidence } = await ask(question, [
      ...["web-1", "api-1"].map((name) => {
        const isWeb = name === "web-1";
        const made = pod({
          name,
          node: isWeb ? "n1" : "n2",
          container: { restartCount: isWeb ? 5 : 6 },
          containerSpec: isWeb
            ? { image: "hub.example/mesh/envoy:1.30", securityContext: { privileged: true } }
            : {},
        }) as { readonly metadata: object };
        const creationTimestamp = ago(isWeb ? 5_000 : 30);
        return { ...made, metadata: { ...made.metadata, creationTimestamp } };
      }),
      node("n1"),
      node("n2"),
    ]);

    expect(["web-1", "api-1"].filter((name) => answer.includes(`shop/Pod/${name}`))).toEqual(names);
    expect(answer).not.toContain("I could not tell");
    expect(confidence).toBeGreaterThan(0.7);
  });

  it("lists no nodes where the node of one pod is asked for", async () => {
    const { answer } = await ask("which node does api-1 run on?");

    expect(answer).toContain("runs on node n2");
  });
});

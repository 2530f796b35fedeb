import { describe, expect, it } from "vitest";
import { now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const objects = [
  pod({ name: "web-1", labels: { app: "web" } }),
  pod({ name: "api-1", labels: { app: "api" }, node: "n2" }),
  service("web", { app: "web" }),
  { ...service("edge", { app: "edge" }), spec: { type: "LoadBalancer", ports: [] } },
];

async function ask(question: string) {
  const reader = createInMemoryReader({ objects, now });
  const { answer = "", confidence } = await createK8sLibrarian({ reader }).librarian(question);
  return { answer, confidence };
}

describe("a list that a question narrows", () => {
  it.each([
    ["are there privileged pods?", '"privileged"'],
    ["which pods are older than 1 day?", '"older than 1"'],
    ["which services are internal only?", '"internal"'],
  ])("by what is not understood is not called sure: %s", async (question, word) => {
    const { answer, confidence } = await ask(question);

    expect(answer).toContain(`Not sorted out by ${word}`);
    expect(confidence).toBeLessThan(0.5);
  });

  it.each([
    "list all pods",
    "how many services are there?",
    "list every service of type LoadBalancer",
  ])("is sure where all of it was used: %s", async (question) => {
    const { answer, confidence } = await ask(question);

    expect(answer).not.toContain("Not sorted out");
    expect(confidence).toBeGreaterThan(0.8);
  });

  it("lists no nodes where the node of one pod is asked for", async () => {
    const { answer } = await ask("which node does api-1 run on?");

    expect(answer).toContain("runs on node n2");
  });
});

import { describe, expect, it } from "vitest";
import { ago, deployment, namespace, node, now, pod } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

const failing = {
  restartCount: 9,
  ready: false,
  state: { waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s" } },
  lastState: { terminated: { reason: "Error", exitCode: 1, finishedAt: ago(2) } },
};
const revision = (name: string, number: number, image: string) => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: {
    name,
    namespace: "shop",
    creationTimestamp: ago(300 - number),
    annotations: { "deployment.kubernetes.io/revision": String(number) },
    ownerReferences: [{ kind: "Deployment", name: "web", controller: true }],
  },
  spec: { replicas: 1, template: { spec: { containers: [{ name: "web", image }] } } },
  status: { replicas: 1 },
});
const objects = [
  namespace("shop"),
  node("n1"),
  ...deployment("web", { wanted: 2, ready: 1 }),
  ...deployment("cart", { wanted: 1, ready: 1 }),
  revision("web-old", 3, "shop/web:1"),
  revision("web-5d9", 4, "shop/web:2"),
  pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], node: "n1", container: failing }),
  pod({ name: "cart-5d9-a", owner: ["ReplicaSet", "cart-5d9"], node: "n1" }),
];

async function ask(question: string) {
  const reader = createInMemoryReader({ objects, now });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const first = (answer.split("\n")[0] ?? "").replaceAll("*", "");
  return { answer, first, metadata };
}

describe("an answer begins with what was asked, in at most 25 words", () => {
  it.each([
    ["what is wrong with web?", "shop/Deployment/web keeps crashing (CrashLoopBackOff)"],
    ["which pods are in shop?", "2 pods"],
    ["how many deployments are in shop?", "2 deployments"],
    ["which image does cart run?", "shop/Deployment/cart runs shop/web:1"],
    ["does web have more replicas than cart?", "Yes: shop/Deployment/web has 2 replicas"],
    ["which pod has the most restarts?", "shop/Pod/web-5d9-a has the most restarts of 2 pods: 9"],
    ["what image did web run before?", "revision 3, the one before, runs shop/web:1"],
    ["is cart ready?", "Yes: shop/Deployment/cart is ready: 1/1 ready"],
    ["how much cpu does cart use?", "of shop/Deployment/cart cannot be told: it is measured"],
    ["who deployed cart?", "Which person did that to shop/Deployment/cart cannot be told"],
    ["how do I fix web?", "shop/Deployment/web"],
  ])("%s", async (question, expected) => {
    const { first } = await ask(question);

    expect(first).toContain(expected);
    expect(first.replace(/`[^`]*`/g, "").split(/\s+/).length).toBeLessThanOrEqual(25);
  });
});

describe("what was asked is not followed by a diagnosis", () => {
  it.each([
    "which pods are in shop?",
    "how many pods are in shop?",
    "which pod has the most restarts?",
    "how much cpu does web use?",
  ])("%s", async (question) => {
    const { answer } = await ask(question);

    expect(answer).not.toContain("CrashLoopBackOff");
  });
});

it("what the first sentences say is not said again as evidence", async () => {
  const { answer } = await ask("what is wrong with web?");

  expect(answer.match(/exit code 1/g)).toHaveLength(2);
  expect(answer).not.toContain("waiting CrashLoopBackOff");
});

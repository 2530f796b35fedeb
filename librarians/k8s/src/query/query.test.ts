import { describe, expect, it } from "vitest";
import { ago, deployment, namespace, node, now, pod } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";
import { comparisonsIn } from "./filters.js";

const named = (kind: string, name: string, more: object) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace: "shop", creationTimestamp: ago(60) },
  ...more,
});
const onNode = (name: string, place: string, version: string) => ({
  ...(node(name) as { status: object }),
  status: {
    conditions: [{ type: "Ready", status: "True" }],
    nodeInfo: { kubeletVersion: version },
  },
  metadata: { name, labels: { pool: place } },
});
const limited = (memory: string) => ({ resources: { limits: { memory } } });
const objects = [
  namespace("shop"),
  namespace("bank"),
  onNode("n1", "small", "v1.31.2"),
  onNode("n2", "large", "v1.31.2"),
  ...deployment("web", { wanted: 3, ready: 3 }),
  ...deployment("api", { wanted: 1 }),
  ...deployment("ledger", { wanted: 2, ready: 2, namespace: "bank" }),
  pod({
    name: "web-5d9-a",
    owner: ["ReplicaSet", "web-5d9"],
    node: "n1",
    containerSpec: limited("1Gi"),
  }),
  pod({
    name: "web-5d9-b",
    owner: ["ReplicaSet", "web-5d9"],
    node: "n2",
    containerSpec: limited("512Mi"),
  }),
  pod({
    name: "api-5d9-a",
    owner: ["ReplicaSet", "api-5d9"],
    node: "n2",
    container: { restartCount: 7 },
    containerSpec: {
      args: ["--region", "eu", "--password", "hunter2"],
      env: [{ name: "LOG_LEVEL", value: "debug" }],
    },
  }),
  named("PersistentVolumeClaim", "small-data", {
    spec: { resources: { requests: { storage: "5Gi" } } },
    status: { phase: "Bound" },
  }),
  named("PersistentVolumeClaim", "big-data", {
    spec: { resources: { requests: { storage: "100Gi" } } },
    status: { phase: "Bound" },
  }),
];

async function ask(question: string, more: readonly unknown[] = []) {
  const reader = createInMemoryReader({ objects: [...objects, ...more], now });
  const response = await createK8sLibrarian({ reader }).librarian(question);
  const { answer = "", metadata } = response;
  return { head: answer.split("\n")[0] ?? "", answer, facts: metadata?.facts };
}

describe("a question that is computed", () => {
  it.each([
    ["which node runs the most pods?", "n2 has the most pods of 2 nodes: 2"],
    [
      "which deployment has the most replicas?",
      "shop/Deployment/web has the most replicas of 3 deployments: 3",
    ],
    [
      "what is the biggest claim in shop?",
      "shop/PersistentVolumeClaim/big-data is the biggest of 2 persistentvolumeclaims, size 100Gi",
    ],
    [
      "which pod has the highest memory limit?",
      "shop/Pod/web-5d9-a has the highest memory limit of 2 pods: 1Gi",
    ],
    [
      "are all kubelets on the same version?",
      "**Yes**: all 2 nodes have the same kubelet version, v1.31.2",
    ],
    ["how many pods per node?", "3 pods by node: n2 (2), n1 (1)"],
    [
      "does web have more replicas than api?",
      "**Yes**: shop/Deployment/web has 3 replicas, shop/Deployment/api has 1",
    ],
    [
      "do all pods have the same restart policy?",
      "**Yes**: all 3 pods have the same restart policy, Always",
    ],
    ["how often did the pods restart in total?", "3 pods in the cluster have 7 restarts in total"],
    ["how many pods are pending in total?", "0 of 3 pods in the cluster are pending"],
  ])("%s", async (question, expected) => {
    const { head, facts } = await ask(question);

    expect(head).toContain(expected);
    expect(facts).toEqual([]);
  });

  it("compares nodes by their pods, and counts those that are on none beside them", async () => {
    const waiting = ["a", "b", "c"].map((name) =>
      named("Pod", `waiting-${name}`, { spec: { containers: [] }, status: { phase: "Pending" } }),
    );

    expect((await ask("which node runs the most pods?", waiting)).head).toContain(
      "n2 has the most pods of 2 nodes: 2",
    );
    expect((await ask("how many pods per node?", waiting)).head).toContain(
      "6 pods by node: no node (3), n2 (2), n1 (1)",
    );
  });

  it("names the fields in which two things differ, and not their names and times", async () => {
    const { answer } = await ask("what differs between nodes n1 and n2?");

    expect(answer).toContain(
      "Node/n1 and Node/n2 differ in metadata.labels.pool: small against large",
    );
  });

  it("prints a manifest without what is secret in it", async () => {
    const { answer } = await ask("show the yaml of pod api-5d9-a");

    expect(answer).toContain("kind: Pod");
    expect(answer).toContain("--region");
    expect(answer).not.toContain("hunter2");
  });

  it("gives the value of a variable by its name", async () => {
    expect((await ask("what is LOG_LEVEL of api?")).head).toContain("debug");
  });

  it("says why usage cannot be told where none was measured, and computes it where it was", async () => {
    const usage = {
      apiVersion: "metrics.k8s.io/v1beta1",
      kind: "PodMetrics",
      metadata: { name: "web-5d9-b", namespace: "shop" },
      containers: [{ name: "web", usage: { cpu: "250m", memory: "300Mi" } }],
    };
    const question = "which pod uses the most memory right now?";

    expect((await ask(question)).head).toMatch(/cannot be told: it is measured \(metrics\.k8s\.io/);
    expect((await ask(question, [usage])).head).toContain(
      "web-5d9-b has the highest memory usage of 1 pod: 300Mi",
    );
  });

  it("does not name a person: objects know only the tool", async () => {
    const { head, facts } = await ask("which person deployed web?");

    expect(head).toContain("cannot be told: objects name only tools, and the audit log");
    expect(facts).toEqual([]);
  });
});

describe("comparisonsIn", () => {
  it.each([
    ["pods with more than 5 restarts", ["restarts"]],
    ["deployments with only one replica", ["replicas"]],
    ["jobs older than 2 days", ["age"]],
    ["pods with a memory limit over 1Gi", ["memory limit"]],
    ["pods restart over and over", []],
    ["what is above all wrong", []],
  ])("reads %s", (text, expected) => {
    expect(comparisonsIn(text).map(({ field }) => field)).toEqual(expected);
  });
});

import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import {
  type Approval,
  createMemoryCatalog,
  createWorkflowSelectorLibrarian,
  type WorkflowSelection,
} from "../src/index.js";
import { entry } from "./workflows.js";

const labels = { environment: "*", priority: "*", risk_tolerance: "low" };
const parameter = (name: string, description = "") => ({ name, type: "string", description });
const raiseMemory = entry("raise-memory", {
  description: "Raises the memory limit of a container that was OOMKilled: out of memory",
  labels,
});
const alert = {
  signal_type: "KubePodCrashLooping",
  namespace: "shop",
  resource_kind: "Deployment",
  resource_name: "cart",
};
const object = { namespace: "shop", resource_kind: "Deployment", resource_name: "cart" };
const oom = { ...object, signal_type: "OOMKilled", namespace_labels: { environment: "staging" } };

async function ask(facts: readonly object[], ...entries: readonly object[]) {
  const observer: Librarian = async () => ({ answer: "x", metadata: { facts } });
  const router = createRouter({ entry: "workflow-selector" });
  const store = createMemoryCatalog(entries);
  // Every entry passes the minimum of the confidence: what is tested is decided behind it.
  router.register(createWorkflowSelectorLibrarian({ store, profile: () => 0.99 }));
  router.register({
    id: "k8s",
    description: "Reads the cluster.",
    capabilities: ["kubernetes.facts"],
    librarian: observer,
  });
  const { answer, metadata } = await router.ask(JSON.stringify(alert));
  await router.close();
  const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
  const approval = metadata?.approval as Approval | undefined;
  return { answer, selected: selection?.strategies[0], reasons: approval?.reasons ?? [] };
}

describe("nothing is proposed", () => {
  it("but where what was observed is what a workflow is for", async () => {
    expect((await ask([oom], raiseMemory)).selected?.workflow_id).toBe("raise-memory");
  });

  it("for an object of the same name in another namespace", async () => {
    const { answer, selected } = await ask([{ ...oom, namespace: "shop-staging" }], raiseMemory);

    expect(selected).toBeUndefined();
    expect(answer).toContain("Its object does not exist.");
  });

  it("for what is over", async () => {
    const { answer, selected } = await ask([{ ...oom, is_current: false }], raiseMemory);

    expect(selected).toBeUndefined();
    expect(answer).toContain("Nothing wrong was observed.");
  });

  it("where another known trouble fits the workflow better", async () => {
    const ended = {
      ...oom,
      signal_type: "CrashLoopBackOff",
      finding: "the container has a memory limit of 64Mi; that is a normal end",
    };
    const { answer, selected } = await ask([ended], raiseMemory);

    expect(selected).toBeUndefined();
    expect(answer).toContain("No workflow is proposed");
  });
});

it("what GitOps manages is not changed without a person, but by what is made for it", async () => {
  const managed = { ...oom, detected_labels: { gitOpsManaged: true } };
  const inGit = { ...raiseMemory, detected_labels: { gitOpsManaged: "true" } };
  const reason = "GitOps manages what it changes: what is done by hand would be undone";

  expect((await ask([managed], raiseMemory)).reasons).toContain(reason);
  expect((await ask([managed], inGit)).reasons).not.toContain(reason);
});

describe("parameters are filled", () => {
  const filled = async (facts: object, ...parameters: readonly object[]) =>
    (await ask([{ ...oom, ...facts }], { ...raiseMemory, parameters })).selected?.parameters;

  it("by a name with another case or suffix", async () => {
    const names = [parameter("containerName"), parameter("CONTAINER_NAME")];

    expect(await filled({ container: "app" }, ...names)).toEqual({
      containerName: "app",
      CONTAINER_NAME: "app",
    });
  });

  it("by the kind that their description speaks of, where it is not a new value", async () => {
    const named_objects = ["NetworkPolicy/callers"];
    const wanted = [parameter("policy", "NetworkPolicy"), parameter("NEXT", "New NetworkPolicy")];

    expect(await filled({ named_objects }, ...wanted)).toEqual({ policy: "callers" });
  });

  it("by the key and the object that a message names", async () => {
    const named_objects = ["ConfigMap/settings"];
    const wanted = ["OBJECT_KIND", "OBJECT_NAME", "ENTRY_KEY"].map((name) => parameter(name));

    expect(await filled({ named_objects, key: "db.url" }, ...wanted)).toEqual({
      OBJECT_KIND: "ConfigMap",
      OBJECT_NAME: "settings",
      ENTRY_KEY: "db.url",
    });
  });

  it("not with the node on which a pod runs", async () => {
    expect(await filled({ node: "n1" }, parameter("NODE_NAME", "Worker host"))).toEqual({});
  });
});

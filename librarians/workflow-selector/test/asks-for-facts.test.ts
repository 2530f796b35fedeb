import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { createMemoryCatalog, createWorkflowSelectorLibrarian } from "../src/index.js";
import { entry } from "./workflows.js";

const crashing = {
  signal_type: "OOMKilled",
  target_resource: "shop/Pod/checkout-1",
  owner: "shop/apps/Deployment/checkout",
};

function meshWith(cluster: Librarian) {
  const store = createMemoryCatalog([
    entry("raise-memory", { description: "Raises the memory limit of OOMKilled containers" }),
  ]);
  const router = createRouter({ entry: "workflow-selector" });
  router.register(createWorkflowSelectorLibrarian({ store }));
  const observer = { description: "Observes.", capabilities: ["kubernetes.facts"] };
  router.register({ id: "k8s", ...observer, librarian: cluster });
  return router;
}

describe("who forbids to act and asks for a fact", () => {
  it.each([
    ["do not restart checkout, just tell me its memory limit", "tell me checkout's memory limit"],
    ["Never touch checkout; which image does it run?", "which image does checkout run?"],
  ])("gets it from the librarian that observes, and no proposal: %s", async (query, fact) => {
    const cluster = vi.fn<Librarian>(async () => ({ answer: "512Mi" }));
    const { answer, metadata } = await meshWith(cluster).ask(query);

    expect(answer).toBe("512Mi");
    expect(metadata?.workflowSelection).toBeUndefined();
    expect(cluster.mock.calls.map(([asked]) => asked)).toEqual([fact]);
  });

  it("gets a proposal where it is asked what else to do", async () => {
    const cluster: Librarian = async () => ({ answer: "a", metadata: { facts: [crashing] } });
    const query = "don't restart checkout, what else can we run?";

    expect((await meshWith(cluster).ask(query)).metadata?.workflowSelection).toMatchObject({
      strategies: [{ workflow_id: "raise-memory" }],
    });
  });
});

describe("a librarian that observes is asked again", () => {
  const healthy = { ...crashing, signal_type: "Healthy" };
  const propose = async (query: string, cluster: Librarian) =>
    (await meshWith(cluster).ask(query)).metadata?.workflowSelection;

  it("for the bare object where the words of an alert make it healthy, or an order", async () => {
    const alert = {
      signal_type: "CpuHigh",
      namespace: "shop",
      resource_kind: "Service",
      resource_name: "checkout",
      summary: "Raise the limit?",
    };
    const bare: Librarian = async (asked) => ({
      answer: "a",
      metadata: { facts: [asked.includes("Raise") ? healthy : crashing] },
    });
    const refusing: Librarian = async (asked) =>
      asked.includes("Raise")
        ? { answer: "It only reads." }
        : { answer: "a", metadata: { facts: [crashing] } };

    for (const cluster of [bare, refusing])
      expect(await propose(JSON.stringify(alert), cluster)).toMatchObject({
        strategies: [{ workflow_id: "raise-memory" }],
      });
  });

  it("without what does well and what is suggested", async () => {
    const cluster: Librarian = async (asked) =>
      /looks fine|clean/.test(asked)
        ? { answer: "It only reads." }
        : { answer: "a", metadata: { facts: [crashing] } };
    const query = "checkout in shop is out of memory although its node looks fine. clean it up?";

    expect(await propose(query, cluster)).toMatchObject({
      strategies: [{ workflow_id: "raise-memory" }],
    });
  });
});

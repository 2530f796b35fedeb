import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { entry } from "../../test/workflows.js";
import { createMemoryCatalog } from "../catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian } from "../workflow-selector.js";

const facts = [
  { signal_type: "OOMKilled", resource_kind: "Deployment", resource_name: "checkout" },
];
const notFound = { code: "NOT_FOUND", message: "Names nothing of a cluster." } as const;

/** An entry that delegates a part of the question, as triage does. */
function meshWith(part: string, cluster: Librarian) {
  const router = createRouter({ entry: "desk" });
  router.register({
    id: "desk",
    description: "delegates",
    librarian: async () => ({ delegate: { to: "workflow-selector", query: part } }),
  });
  router.register(
    createWorkflowSelectorLibrarian({
      store: createMemoryCatalog([
        entry("increase-memory-limits", {
          description: "Increases the memory limits of a deployment whose containers are OOMKilled",
        }),
      ]),
    }),
  );
  router.register({
    id: "k8s",
    description: "Reads the cluster.",
    capabilities: ["kubernetes.facts"],
    librarian: cluster,
  });
  return router;
}

describe("facts from a librarian", () => {
  it("are asked for with the whole question where its own part names nothing", async () => {
    const cluster = vi.fn<Librarian>(async (query) =>
      query.includes("checkout")
        ? { answer: "OOMKilled", metadata: { facts } }
        : { error: notFound },
    );
    const router = meshWith("Which workflow do we run?", cluster);

    const { answer } = await router.ask("Checkout crashes: checkout. Which workflow do we run?");

    expect(answer).toContain("increase-memory-limits");
    expect(cluster.mock.calls.map(([query]) => query)).toEqual([
      "Which workflow do we run?",
      "Checkout crashes: checkout. Which workflow do we run?",
    ]);
  });

  it("are asked for by a question that only says that something is to be fixed", async () => {
    const router = meshWith("How should we fix checkout?", async () => ({
      answer: "OOMKilled",
      metadata: { facts },
    }));

    expect((await router.ask("How should we fix checkout?")).answer).toContain(
      "increase-memory-limits",
    );
  });

  it("are asked for once where the cluster cannot be read, and alone", async () => {
    const cluster = vi.fn<Librarian>(async () => ({
      error: { code: "DATA_SOURCE_ERROR", message: "The cluster is down." },
    }));

    await meshWith("Which workflow do we run?", cluster).ask(
      "OOMKilled. Which workflow do we run?",
    );

    expect(cluster).toHaveBeenCalledTimes(1);
    expect(cluster.mock.calls[0]?.[1]?.metadata?.wants).toBe("facts");
  });
});

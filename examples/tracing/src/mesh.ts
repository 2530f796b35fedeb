import { createRouter, type Librarian, MeshError, type Router } from "@constellation/core";

/** Depth, a fan-out in a fan-out, a question in between, a failure, and a loop that is refused. */
export function createMesh(): Router {
  const several = (...ids: readonly string[]) => ids.map((to) => ({ to }));
  const librarians: Readonly<Record<string, Librarian>> = {
    desk: async () => ({ delegate: several("operations", "network") }),
    operations: async () => ({ delegate: several("pods", "runbook", "status") }),
    pods: async () => ({
      answer: "checkout is OOMKilled.",
      confidence: 0.9,
      sources: [{ name: "shop/Pod/checkout-7f" }],
    }),
    // Asks another librarian, and continues with its response.
    runbook: async (_query, context) => {
      const found = await context?.ask?.("What is the limit of checkout?", { to: "limits" });
      return { answer: `${found?.answer} Double it.`, confidence: 0.8 };
    },
    limits: async () => ({ answer: "The limit is 256 MiB.", confidence: 1 }),
    status: async () => {
      throw new MeshError("DATA_SOURCE_ERROR", "The status page could not be read.");
    },
    network: async () => ({ delegate: { to: "desk" } }), // a loop, which the router refuses
  };
  const router = createRouter({ name: "tracing", entry: "desk", timeoutMs: 5_000 });
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: `knows about ${id}`, librarian });
  }
  return router;
}

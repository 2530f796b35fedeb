import { createRouter, type Router } from "@constellation/core";

/** A mesh to ask in tests: a desk that forwards, and those it passes to. */
export function exampleMesh(): Router {
  const router = createRouter({ entry: "desk" });
  router.register({
    id: "desk",
    description: "passes questions on",
    delegatesTo: ["runbooks"],
    librarian: async () => ({ delegate: { to: "runbooks" } }),
  });
  router.register({
    id: "runbooks",
    name: "Runbooks",
    description: "answers from runbooks",
    capabilities: ["docs.runbooks"],
    librarian: async (query, context) => {
      context?.report?.("reading runbooks");
      return {
        answer: `See the runbook for "${query}".`,
        sources: [{ name: "runbooks/billing.md#Restart", url: "https://example.test/billing" }],
        confidence: 0.9,
      };
    },
  });
  router.register({
    id: "empty",
    description: "knows nothing",
    librarian: async () => ({
      error: {
        code: "NOT_FOUND",
        message: "Nothing is known about it.",
        suggestion: "Ask the runbooks.",
        details: { reason: "no-information" },
      },
    }),
  });
  return router;
}

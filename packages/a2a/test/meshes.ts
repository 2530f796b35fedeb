import { type AIClient, createRouter, type Router } from "@constellation/core";

/**
 * A mesh to ask in tests: a desk that forwards, and those it passes to.
 *
 * @param ai - The model that the runbooks ask, if any.
 */
export function exampleMesh(ai?: AIClient): Router {
  const router = createRouter({ entry: "desk", ai });
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
      await context?.ai?.complete({ prompt: query });
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

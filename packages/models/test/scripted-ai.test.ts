import { scriptedAI } from "@constellation/testing";
import { describe } from "vitest";
import { itBehavesLikeAnAIClient } from "./ai-client-suite.js";

describe("scriptedAI", () => {
  itBehavesLikeAnAIClient(async (replies) => {
    const client = scriptedAI(replies);
    return {
      client,
      maxTokens: () => client.calls.map(({ request }) => request.maxTokens),
      close: async () => {},
    };
  });
});

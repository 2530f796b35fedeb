import { describe } from "vitest";
import { itBehavesLikeAnAIClient } from "../../test/ai-client-suite.js";
import { answersOf, maxTokensOf } from "../../test/played-server.js";
import { itBehavesLikeARemoteClient } from "../../test/remote/suite.js";
import { startMessagesServer } from "../testing.js";
import { createAnthropicClient } from "./client.js";

describe("createAnthropicClient", () => {
  itBehavesLikeAnAIClient(async (replies) => {
    const server = await startMessagesServer(replies.flatMap(answersOf));
    return {
      client: createAnthropicClient({ baseURL: server.url, apiKey: "test", maxRetries: 0 }),
      maxTokens: () => server.requests.map(({ body }) => maxTokensOf(body)),
      close: server.close,
    };
  });

  itBehavesLikeARemoteClient({ create: createAnthropicClient, start: startMessagesServer });
});

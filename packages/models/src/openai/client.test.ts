import { describe } from "vitest";
import { itBehavesLikeAnAIClient } from "../../test/ai-client-suite.js";
import { answersOf, maxTokensOf } from "../../test/played-server.js";
import { itBehavesLikeARemoteClient } from "../../test/remote/suite.js";
import { startChatServer } from "../testing.js";
import { createOpenAICompatibleClient } from "./client.js";

describe("createOpenAICompatibleClient", () => {
  itBehavesLikeAnAIClient(async (replies) => {
    const server = await startChatServer(replies.flatMap(answersOf));
    return {
      client: createOpenAICompatibleClient({ baseURL: server.url, model: "large", maxRetries: 0 }),
      maxTokens: () => server.requests.map(({ body }) => maxTokensOf(body)),
      close: server.close,
    };
  });

  itBehavesLikeARemoteClient({ create: createOpenAICompatibleClient, start: startChatServer });
});

import type { User } from "@constellation/core";
import {
  type McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from "@modelcontextprotocol/server";
import { answerTemplate } from "./answer-store.js";
import type { HandlerState } from "./handler-state.js";
import { readUser } from "./request-info.js";

/**
 * Adds resources with the full text of answers that were cut: each for its user, and not listed.
 *
 * @param user - Used where the transport names no user.
 */
export function addAnswers(
  server: McpServer,
  { answers }: HandlerState,
  user: User | undefined,
): void {
  server.registerResource(
    "answer",
    new ResourceTemplate(answerTemplate, { list: undefined }),
    {
      title: "A whole answer",
      description: "Full text of an answer that was cut. Available for some minutes.",
      mimeType: "text/markdown",
    },
    (uri, { id }, context) => {
      const text = answers.read(String(id), (readUser(context) ?? user)?.id);
      if (text === undefined) throw new ResourceNotFoundError(uri.href);
      return { contents: [{ uri: uri.href, mimeType: "text/markdown", text }] };
    },
  );
}

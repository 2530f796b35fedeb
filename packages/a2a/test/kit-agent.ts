/**
 * The agent that the protocol's compatibility kit asks: a mesh, with a librarian for each of its scenarios.
 *
 * `npm run kit-agent --workspace packages/a2a -- [port] [versions] [entry]`
 */

import { type AnswerPart, createA2AHandler, type ProtocolVersion } from "@constellation/a2a";
import { createRouter, type Librarian, type Response as Reply } from "@constellation/core";
import { serveLoopback } from "./loopback.js";

const [port = "9999", versions = "1.0,0.3", entry = "complete-task"] = process.argv.slice(2);

/** What shows the answer of a librarian that does not answer in text, under `metadata.show`. */
const shows: Readonly<Record<string, readonly AnswerPart[]>> = {
  "artifact-file": [
    { bytes: Buffer.from("output"), filename: "output.txt", mediaType: "text/plain" },
  ],
  "artifact-file-url": [
    { url: "https://example.com/output.txt", filename: "output.txt", mediaType: "text/plain" },
  ],
  "artifact-data": [{ data: { key: "value", count: 42 } }],
};

const answers = (answer: string): Librarian => {
  return async (_query, context) => ({
    answer,
    confidence: 1,
    metadata: { show: context?.librarian?.id },
  });
};

const needsInput: Librarian = async () => ({
  error: { code: "INVALID_QUERY", message: "Which one is meant?" },
});

/** By the part of a message's id that names its scenario. The longest that fits is asked. */
const librarians: Readonly<Record<string, Librarian>> = {
  "complete-task": answers("Hello from TCK"),
  "artifact-text": answers("Generated text content"),
  "artifact-file": answers("output"),
  "artifact-file-url": answers("https://example.com/output.txt"),
  "artifact-data": answers('{"key":"value","count":42}'),
  "message-response": answers("Direct message response"),
  "input-required": needsInput,
};

const router = createRouter({ entry });
for (const [id, librarian] of Object.entries(librarians)) {
  router.register({ id, description: `answers as the scenario ${id} asks`, librarian });
}

const handler = createA2AHandler(router, {
  url: "/",
  versions: versions.split(",") as ProtocolVersion[], // the handler checks them
  direct: ["message-response"],
  present: ({ metadata }: Reply) => shows[String(metadata?.show)],
});

const ids = Object.keys(librarians).sort((one, other) => other.length - one.length);

const server = await serveLoopback(async (request) => {
  if (request.method !== "POST") return handler(request);
  const text = await request.text();
  return handler(new Request(request, { body: withLibrarian(text) }));
}, Number(port));
console.log(server.url);

/** Names the librarian of a message's scenario in its metadata, where the kit names it in its id. */
function withLibrarian(text: string): string {
  try {
    const body = JSON.parse(text) as { params?: { message?: Record<string, unknown> } }; // else it is as it was
    const message = body.params?.message;
    const name = String(message?.messageId).replace(/^tck-/, "");
    const librarian = ids.find((id) => name.startsWith(id));
    if (message === undefined || librarian === undefined) return text;
    message.metadata = { librarian };
    return JSON.stringify(body);
  } catch {
    return text;
  }
}

/**
 * A server on the loopback address that speaks `/v1/chat/completions` for a model file, in its own
 * process: `server.ts FILE FOLDER`. It sends its URL to the process that forked it.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatRequestSchema, grammarSchemaOf, toolCallIn, turnsOf } from "./chat-request.js";
import { loadLlama } from "./llama.js";

const [file = "", folder = "."] = process.argv.slice(2);
const llama = await loadLlama(file, folder);

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  response.once("close", () => ended.abort());
  try {
    const body = chatRequestSchema.parse(JSON.parse(await textOf(request)));
    const turns = turnsOf(body);
    const schema = body.response_format?.json_schema?.schema;
    let written = 0;
    const { text, isCut } = await llama.write({
      turns,
      schema: schema === undefined ? undefined : grammarSchemaOf(schema),
      maxTokens: body.max_tokens,
      signal: ended.signal,
      onToken: (count) => {
        written += count;
      },
    });
    const call = toolCallIn(text, body);
    const id = randomUUID();
    const message =
      call === undefined
        ? { role: "assistant", content: text }
        : {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id,
                type: "function",
                function: { name: call.name, arguments: JSON.stringify(call.input) },
              },
            ],
          };
    const read = turns.reduce((sum, turn) => sum + JSON.stringify(turn).length, 0);
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({
        id,
        object: "chat.completion",
        model: body.model,
        choices: [
          {
            index: 0,
            message,
            finish_reason: isCut ? "length" : call === undefined ? "stop" : "tool_calls",
          },
        ],
        usage: { prompt_tokens: Math.ceil(read / 4), completion_tokens: written },
      }),
    );
  } catch (thrown) {
    if (ended.signal.aborted) return;
    response.statusCode = 500;
    response.end(JSON.stringify({ error: { message: String(thrown) } }));
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.send?.(`http://127.0.0.1:${port}/v1`);
});
process.once("disconnect", () => process.exit());

async function textOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString("utf8");
}

/**
 * A server on the loopback address that speaks `/v1/chat/completions` for a model file, in its own
 * process: `server.ts FILE FOLDER CONTEXT_TOKENS`. It sends its URL to the process that forked it.
 */
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type ChatRequest,
  chatRequestSchema,
  grammarSchemaOf,
  toolCallIn,
  turnsOf,
} from "./chat-request.js";
import { loadLlama, type Written } from "./llama.js";

/** A client that streams gets a comment this often, so that the connection is not cut for silence. */
const heartbeatMs = 10_000;

const [file = "", folder = ".", contextTokens = "4096"] = process.argv.slice(2);
const llama = await loadLlama(file, folder, Number(contextTokens));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const ended = new AbortController();
  response.once("close", () => ended.abort());
  let heartbeat: NodeJS.Timeout | undefined;
  try {
    const body = chatRequestSchema.parse(JSON.parse(await textOf(request)));
    if (body.stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(": reading\n\n");
      heartbeat = setInterval(() => response.write(": writing\n\n"), heartbeatMs);
    }
    const schema = body.response_format?.json_schema?.schema;
    const written = await llama.write({
      turns: turnsOf(body),
      schema: schema === undefined ? undefined : grammarSchemaOf(schema),
      maxTokens: body.max_tokens,
      signal: ended.signal,
    });
    const completion = completionOf(body, written);
    if (body.stream) {
      response.end(`data: ${JSON.stringify(completion)}\n\ndata: [DONE]\n\n`);
    } else {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(completion));
    }
  } catch (thrown) {
    if (ended.signal.aborted) return;
    const error = JSON.stringify({ error: { message: String(thrown) } });
    if (!response.headersSent) response.statusCode = 500;
    response.end(response.headersSent ? `data: ${error}\n\n` : error);
  } finally {
    clearInterval(heartbeat);
  }
}

/** A whole completion, or the one event of a stream that has it all. */
function completionOf(body: ChatRequest, { text, isCut, readTokens, writtenTokens }: Written) {
  const call = toolCallIn(text, body);
  const toolCall = call && {
    index: 0,
    id: randomUUID(),
    type: "function",
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  };
  const message = {
    role: "assistant",
    ...(toolCall === undefined ? { content: text } : { content: null, tool_calls: [toolCall] }),
  };
  const finish = toolCall === undefined ? "stop" : "tool_calls";
  return {
    id: randomUUID(),
    object: body.stream ? "chat.completion.chunk" : "chat.completion",
    model: body.model,
    choices: [
      {
        index: 0,
        [body.stream ? "delta" : "message"]: message,
        finish_reason: isCut ? "length" : finish,
      },
    ],
    usage: { prompt_tokens: readTokens, completion_tokens: writtenTokens },
  };
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

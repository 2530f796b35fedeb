import { readEvents } from "../model/events.js";
import { brokenReply, statusFailure } from "../model/failure.js";
import { type ChatMessage, type Completion, chunkSchema } from "./chat.js";
import { errorStatus } from "./post-chat.js";

/**
 * Reads a streamed reply.
 *
 * @param onPiece - Called after each event with its text, the number of characters so far, and a
 *   function that builds the reply so far, which has no finish reason until one arrives.
 * @throws MeshError for an event that is not a chat completion, or that reports a failure.
 */
export async function gather(
  body: ReadableStream<Uint8Array>,
  onPiece: (text: string, written: number, soFar: () => Completion) => void,
  secret: string | undefined,
): Promise<Completion> {
  const calls: { id: string | null; name: string; json: string }[] = [];
  let written = 0;
  let text = "";
  let refusal = "";
  let finish: string | null = null;
  let head: Pick<Completion, "id" | "model" | "usage"> = {};
  const soFar = (): Completion => ({
    ...head,
    choices: [{ message: createChatMessage(text, refusal, calls), finish_reason: finish }],
  });

  for await (const event of readEvents(body)) {
    const { error, id, model, usage, choices } = parseChunk(event);
    if (error != null) {
      throw statusFailure({
        status: errorStatus(error),
        serviceMessage: error.message ?? undefined,
        keySource: "apiKey",
        secret,
      });
    }
    head = { id: id ?? head.id, model: model ?? head.model, usage: usage ?? head.usage };
    const [choice] = choices ?? [];
    const { content, refusal: refused, tool_calls: pieces } = choice?.delta ?? {};
    text += content ?? "";
    refusal += refused ?? "";
    for (const piece of pieces ?? []) {
      const at = piece.index ?? calls.length;
      const { id: callId, name, json } = calls[at] ?? { id: null, name: "", json: "" };
      const { name: more = "", arguments: input = "" } = piece.function ?? {};
      calls[at] = {
        id: callId ?? piece.id ?? null,
        name: name + (more ?? ""),
        json: json + (input ?? ""),
      };
      written += input?.length ?? 0;
    }
    finish = choice?.finish_reason || finish; // some servers write an empty one until the end
    written += (content ?? "").length;
    onPiece(content ?? "", written, soFar);
  }
  return soFar();
}

function createChatMessage(
  text: string,
  refusal: string,
  calls: readonly { id: string | null; name: string; json: string }[],
): ChatMessage {
  return {
    content: text,
    ...(refusal !== "" && { refusal }),
    ...(calls.length > 0 && {
      tool_calls: calls
        .filter((call) => call !== undefined)
        .map(({ id, name, json }) => ({ id, function: { name, arguments: json } })),
    }),
  };
}

function parseChunk(event: string) {
  try {
    return chunkSchema.parse(JSON.parse(event));
  } catch {
    throw brokenReply("an event is not a chat completion");
  }
}

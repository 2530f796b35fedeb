import type { ClientEvent } from "./mesh-client.js";
import { ClientError, type ReadOptions, readText } from "./send.js";

/**
 * Reads server-sent events. Pieces of the body may split them anywhere.
 *
 * @throws ClientError for an event that is too long, or not JSON, and where the connection breaks.
 *
 * Source: WHATWG HTML, "Server-sent events".
 */
export async function* readEvents(
  reply: globalThis.Response,
  { maxLength, signal }: ReadOptions,
): AsyncGenerator<ClientEvent> {
  let waiting = "";
  for await (const piece of readText(reply, signal)) {
    const blocks = (waiting + piece).split("\n\n");
    waiting = blocks.pop() ?? "";
    if (waiting.length > maxLength) throw new ClientError(0, "An event is too long.");
    for (const block of blocks) {
      const event = readEvent(block);
      if (event !== undefined) yield event;
    }
  }
}

/** @returns `undefined` for a comment. */
function readEvent(block: string): ClientEvent | undefined {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
  }
  const { event, data, id } = fields;
  if (event === undefined || data === undefined) return undefined;
  try {
    const read = { event, data: JSON.parse(data) as unknown, ...(id !== undefined && { id }) };
    return read as ClientEvent; // of a server of this version
  } catch {
    throw new ClientError(0, "An event is not JSON.");
  }
}

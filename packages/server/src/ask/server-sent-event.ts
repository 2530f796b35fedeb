import type { MeshEvent } from "@constellation/core";
import { plainJson } from "../http/plain-json.js";

/** A comment: keeps proxies from closing an idle stream. */
export const heartbeat = ": heartbeat\n\n";

/**
 * Writes one event of a stream. JSON holds no line break, so `data` is one line.
 *
 * Source: WHATWG HTML, "Server-sent events".
 */
export function serverSentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${plainJson(data)}\n\n`;
}

/**
 * An event as it is sent: without what only the author may read (causes, responses of single hops, what
 * models were asked), and without the response of `run:end`, which follows as its own event.
 */
export function publicEvent(event: MeshEvent): object {
  if (event.type === "hop:end") {
    const { cause: _, response: _response, ...rest } = event;
    return rest;
  }
  if (event.type === "model:end") {
    const { content: _, error, ...rest } = event;
    if (error === undefined) return rest;
    const { code, message, details } = error;
    return { ...rest, error: { code, message, details: { reason: details?.reason } } };
  }
  if (event.type === "run:end") {
    const { response: _, ...rest } = event;
    return rest;
  }
  return event;
}

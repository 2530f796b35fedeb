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
 * An event as it is sent: without `cause`, which only the author may read, and without the response of
 * `run:end`, which follows as its own event.
 */
export function publicEvent(event: MeshEvent): object {
  if (event.type === "hop:end") {
    const { cause: _, ...rest } = event;
    return rest;
  }
  if (event.type === "run:end") {
    const { response: _, ...rest } = event;
    return rest;
  }
  return event;
}

import type { MeshEvent } from "@constellation/core";
import { plainJson } from "../http/plain-json.js";

/** A comment: keeps proxies from closing a stream on which nothing happens. */
export const heartbeat = ": still here\n\n";

/**
 * Writes one event of a stream. JSON holds no line break, so `data` is one line.
 *
 * Source: WHATWG HTML, "Server-sent events".
 */
export function serverSentEvent(name: string, data: unknown): string {
  return `event: ${name}\ndata: ${plainJson(data)}\n\n`;
}

/**
 * An event as it leaves the process: without `cause`, which is for the author's eyes, and without
 * the response of `run:end`, which follows as an event of its own.
 */
export function toldEvent(event: MeshEvent): object {
  if (event.type === "hop:end") {
    const { cause: _, ...told } = event;
    return told;
  }
  if (event.type === "run:end") {
    const { response: _, ...told } = event;
    return told;
  }
  return event;
}

import { plainJson } from "../http/plain-json.js";

/** A comment: keeps proxies from closing an idle stream. */
export const heartbeat = ": heartbeat\n\n";

/**
 * Writes one event of a stream. JSON holds no line break, so `data` is one line.
 *
 * @param name - Absent: an event without a name.
 *
 * Source: WHATWG HTML, "Server-sent events".
 */
export function serverSentEvent(name: string | undefined, data: unknown): string {
  const event = name === undefined ? "" : `event: ${name}\n`;
  return `${event}data: ${plainJson(data)}\n\n`;
}

import type { FastifyReply } from "fastify";
import type { ServerLimits } from "../limits.js";
import { heartbeat } from "../streams/server-sent-event.js";
import { openBody } from "./body-writer.js";

/** Options of {@link sendEvents}. */
export interface EventStreamOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly limits: Pick<ServerLimits, "heartbeatMs" | "stallMs">;
  /** Called once, when the client disconnects before the end. */
  readonly onDisconnect: () => void;
}

/**
 * Sends server-sent events as they come, and heartbeats between them, as fast as the client reads. Resolves when there are no
 * more, or the client has left.
 *
 * @param texts - Each is one event.
 */
export async function sendEvents(
  reply: FastifyReply,
  texts: AsyncIterable<string>,
  { headers, limits, onDisconnect }: EventStreamOptions,
): Promise<void> {
  const { heartbeatMs, stallMs } = limits;
  reply.headers(headers);
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as Record<string, string>); // only strings were set
  const body = openBody(reply.raw, stallMs, onDisconnect);
  const beat = setInterval(() => body.writeIfIdle(heartbeat), heartbeatMs);
  try {
    for await (const text of texts) {
      if (!(await body.write(text))) return;
    }
  } finally {
    clearInterval(beat);
    body.end();
  }
}

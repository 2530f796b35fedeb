import { MeshError } from "@constellation/core";
import type { Link, LinkSubscription, RunningResponder } from "@constellation/transport";
import type { NatsConnection } from "@nats-io/transport-node";
import { connectToNats } from "./connect.js";
import { createNatsClaims } from "./nats-claims.js";
import type { NatsTransportOptions } from "./options.js";
import { startResponder } from "./responder.js";

/** Maximum time that closing waits for messages to be sent, in milliseconds. */
const closeMs = 2_000;

interface Outgoing {
  readonly subject: string;
  readonly payload: Uint8Array;
  readonly reply: string | undefined;
}

/**
 * Time between two warnings, in milliseconds: a configuration problem of the server would repeat for each message.
 */
const warnMs = 60_000;

/** Creates a link over NATS. @param options - Checked. */
export function createNatsLink(
  options: NatsTransportOptions & { readonly mesh: string; readonly caller: string },
): Link {
  const listeners = new Set<() => void>();
  let connection: NatsConnection | undefined;
  let isConnected = false;
  let responder: RunningResponder | undefined;
  let warnedAt = Number.NEGATIVE_INFINITY;

  async function open(): Promise<void> {
    const opened = await connectToNats(options);
    connection = opened;
    isConnected = true;
    void follow(opened);
  }

  /** Tracks the connection, because messages published while it is lost would be dropped silently. */
  async function follow(opened: NatsConnection): Promise<void> {
    for await (const status of opened.status()) {
      const { type } = status;
      if (type === "disconnect" || type === "close") isConnected = false;
      if (type === "error") warn(status.error);
      if (type !== "reconnect") continue;
      isConnected = true;
      for (const listener of listeners) listener();
    }
  }

  function warn(problem: unknown): void {
    if (performance.now() - warnedAt < warnMs) return;
    warnedAt = performance.now();
    const text = problem instanceof Error ? problem.message.slice(0, 300) : "unknown";
    process.emitWarning(`NATS: ${text}`, { type: "ConstellationWarning" });
  }

  function connected(): NatsConnection {
    if (connection !== undefined) return connection;
    throw new MeshError("SERVICE_UNAVAILABLE", "The NATS link is not open.", {
      suggestion: "Open the router, or the transport, first.",
    });
  }

  /**
   * Messages of this turn of the event loop, which are sent in one write. The first one is sent at once, unless the
   * last turn had several.
   */
  const queued: Outgoing[] = [];
  let sentInTurn = 0;
  let isBusy = false;

  function sendQueued(): void {
    isBusy = sentInTurn > 1;
    sentInTurn = 0;
    for (const each of queued.splice(0)) send(each);
  }

  function send({ subject, payload, reply }: Outgoing): void {
    if (connection === undefined || connection.isClosed()) return;
    try {
      connection.publish(subject, payload, reply === undefined ? {} : { reply });
    } catch (thrown) {
      warn(thrown); // for example while it closes
    }
  }

  const link: Link = {
    carrier: "nats",
    open,
    get isConnected() {
      return isConnected;
    },
    get maxPayload() {
      return connection?.info?.max_payload ?? 1_048_576;
    },
    subscribe(subject, onMessage, group): LinkSubscription {
      const subscription = connected().subscribe(subject, {
        ...(group !== undefined && { queue: group }),
        callback: (error, message) => {
          if (error !== null) {
            warn(error);
            return;
          }
          const { subject: to, data, reply, headers } = message;
          const isUndeliverable = data.length === 0 && headers?.code === 503;
          // A member can make the server answer one of its requests to any subject. Such messages have headers, which
          // members never send.
          if (headers !== undefined && !isUndeliverable) return;
          onMessage({ subject: to, payload: data, reply, isUndeliverable });
        },
      });
      return {
        unsubscribe: () => subscription.unsubscribe(),
        drain: () => subscription.drain(),
      };
    },
    publish(subject, payload, reply) {
      if (payload.length > link.maxPayload) throw new RangeError("The message is too large.");
      connected();
      if (++sentInTurn === 1) setImmediate(sendQueued);
      if (sentInTurn > 1 || isBusy) queued.push({ subject, payload, reply });
      else send({ subject, payload, reply });
    },
    onConnected(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    claims: createNatsClaims(connected, options.mesh),
    startResponder(given, onReady) {
      responder = startResponder(options, given, onReady);
      return responder;
    },
    async flush() {
      sendQueued();
      if (isConnected) await connection?.flush();
    },
    async close() {
      sendQueued();
      isConnected = false;
      responder?.close();
      const ending = connection?.close().catch(() => undefined);
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
    },
  };
  return link;
}

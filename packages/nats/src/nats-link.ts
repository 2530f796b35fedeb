import { MeshError } from "@constellation/core";
import type { Link, LinkSubscription } from "@constellation/core/transport";
import type { NatsConnection } from "@nats-io/transport-node";
import { connectToNats } from "./connect.js";
import type { NatsTransportOptions } from "./options.js";
import { openSharedMap, type SharedMap } from "./shared-map.js";

/** How long what is left is awaited when the connection ends, in milliseconds. */
const closeMs = 2_000;

/** Creates a link over NATS. @param options - Checked. */
export function createNatsLink(options: NatsTransportOptions & { readonly mesh: string }): Link {
  let connection: NatsConnection | undefined;
  let map: SharedMap | undefined;
  let isConnected = false;
  let hasWarned = false;

  async function open(): Promise<void> {
    const opened = await connectToNats(options);
    connection = opened;
    isConnected = true;
    void follow(opened);
    try {
      map = await openSharedMap(opened, options.mesh);
    } catch (thrown) {
      await opened.close();
      throw thrown;
    }
  }

  /** Follows the connection: while it is lost, what is published would be dropped in silence. */
  async function follow(opened: NatsConnection): Promise<void> {
    for await (const { type } of opened.status()) {
      if (type === "disconnect" || type === "close") isConnected = false;
      if (type !== "reconnect") continue;
      isConnected = true;
      await map?.restore().catch(warn);
    }
  }

  /** Once: a problem of the server's configuration shows with each message. */
  function warn(problem: unknown): void {
    if (hasWarned) return;
    hasWarned = true;
    const text = problem instanceof Error ? problem.message.slice(0, 300) : "unknown";
    process.emitWarning(`NATS: ${text}`, { type: "ConstellationWarning" });
  }

  function connected(): NatsConnection {
    if (connection !== undefined) return connection;
    throw new MeshError("SERVICE_UNAVAILABLE", "The NATS link is not open.", {
      suggestion: "Open the router, or the transport, first.",
    });
  }

  function shared(): SharedMap {
    connected();
    if (map !== undefined) return map;
    throw new MeshError("SERVICE_UNAVAILABLE", "The NATS link is not open.");
  }

  return {
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
          onMessage({ subject: to, payload: data, reply, isUndeliverable });
        },
      });
      return {
        unsubscribe: () => subscription.unsubscribe(),
        drain: () => subscription.drain(),
      };
    },
    publish(subject, payload, reply) {
      const { isClosed } = { isClosed: connected().isClosed() };
      if (!isClosed) connected().publish(subject, payload, reply === undefined ? {} : { reply });
    },
    presence: {
      put: (key, value) => shared().put(key, value),
      remove: (key) => shared().remove(key),
      watch: (onEntry) => shared().watch(onEntry),
    },
    claim: (key) => shared().claim(key),
    async flush() {
      if (isConnected) await connection?.flush();
    },
    async close() {
      map?.close();
      isConnected = false;
      const ending = connection?.close().catch(() => undefined);
      await Promise.race([ending, new Promise((resolve) => setTimeout(resolve, closeMs).unref())]);
    },
  };
}

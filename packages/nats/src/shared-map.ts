import { MeshError } from "@constellation/core";
import type { LinkPresence } from "@constellation/core/transport";
import type { KV } from "@nats-io/kv";
import type { NatsConnection } from "@nats-io/transport-node";

/** Entries live this long unless they are written again, in milliseconds. */
const ttlMs = { presence: 300_000, claims: 900_000 };

/** Who is present, in a JetStream bucket, and the claims of writes in another. */
export interface SharedMap extends LinkPresence {
  claim(key: string): Promise<boolean>;
  /** Writes the own entries again, and reads all anew: a server that came back may have lost them. */
  restore(): Promise<void>;
  close(): void;
}

/** @param mesh - Names the buckets. */
export async function openSharedMap(connection: NatsConnection, mesh: string): Promise<SharedMap> {
  const { Kvm } = await import("@nats-io/kv");
  const own = new Map<string, Uint8Array>();
  const stops = new Set<() => void>();
  const watchers = new Set<(key: string, value: Uint8Array | undefined) => void>();
  let bucket = await open("presence");
  let claims: Promise<KV> | undefined;
  let isClosed = false;

  async function open(name: keyof typeof ttlMs): Promise<KV> {
    try {
      const options = { history: 1, ttl: ttlMs[name] };
      return await new Kvm(connection).create(`mesh-${mesh}-${name}`, options);
    } catch (thrown) {
      throw new MeshError("SERVICE_UNAVAILABLE", "The NATS server keeps no key-value buckets.", {
        suggestion: "Start it with JetStream: `nats-server -js`; give the user `$JS.API.>`.",
        cause: thrown,
      });
    }
  }

  /** Reports entries until it is stopped. Resolves once those there are now were reported. */
  async function follow(onEntry: (key: string, value: Uint8Array | undefined) => void) {
    const entries = await bucket.watch();
    stops.add(() => entries.stop());
    await new Promise<void>((resolve) => {
      void (async () => {
        for await (const { key, value, operation, delta } of entries) {
          onEntry(key, operation === "PUT" ? value : undefined);
          if (delta === 0) resolve();
        }
        resolve();
      })().catch(() => resolve()); // the connection is gone: `restore` reads anew
    });
  }

  return {
    async put(key, value) {
      own.set(key, value);
      await bucket.put(key, value);
    },
    async remove(key) {
      own.delete(key);
      await bucket.purge(key);
    },
    async watch(onEntry) {
      watchers.add(onEntry);
      await follow(onEntry);
      return () => watchers.delete(onEntry);
    },
    async claim(key) {
      claims ??= open("claims");
      try {
        await (await claims).create(key, new Uint8Array());
        return true;
      } catch {
        claims = undefined; // where the bucket itself was the problem
        return false;
      }
    },
    async restore() {
      if (isClosed) return;
      for (const stop of stops) stop();
      stops.clear();
      bucket = await open("presence");
      claims = undefined;
      await Promise.all([...own].map(([key, value]) => bucket.put(key, value)));
      await Promise.all([...watchers].map(follow));
    },
    close() {
      isClosed = true;
      for (const stop of stops) stop();
    },
  };
}

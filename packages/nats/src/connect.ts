import { readFile } from "node:fs/promises";
import { MeshError } from "@constellation/core";
import type { NatsConnection } from "@nats-io/transport-node";
import type { NatsTransportOptions } from "./options.js";

/** Maximum time for one server to accept a connection, in milliseconds. */
const handshakeMs = 4_000;

/**
 * Connects to a NATS server.
 *
 * @throws MeshError `SERVICE_UNAVAILABLE` that names the servers, and `UNAUTHORIZED` where they refuse the
 *   credentials.
 */
export async function connectToNats(
  options: NatsTransportOptions & { readonly mesh: string; readonly caller: string },
): Promise<NatsConnection> {
  const { servers, tls, credentials = {}, mesh, caller } = options;
  const { connect, credsAuthenticator, nkeyAuthenticator } = await import(
    "@nats-io/transport-node"
  );
  const { file, nkeyFile, token, user, password } = credentials;
  const addresses = typeof servers === "string" ? [servers] : [...servers];
  try {
    return await connect({
      servers: addresses,
      name: "constellation",
      // Not a shared subject, on which members could read answers of others.
      inboxPrefix: `mesh.${mesh}.inbox.${caller}`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      timeout: handshakeMs,
      // A machine that fails does not close its connection: 15 s without an answer count as lost.
      pingInterval: 5_000,
      maxPingOut: 2,
      ...(file !== undefined && { authenticator: credsAuthenticator(await readFile(file)) }),
      ...(nkeyFile !== undefined && { authenticator: nkeyAuthenticator(await readSeed(nkeyFile)) }),
      ...(token !== undefined && { token }),
      ...(user !== undefined && password !== undefined && { user, pass: password }),
      ...(tls !== undefined && { tls: pickDefined(tls) }),
    });
  } catch (thrown) {
    throw toConnectError(thrown, addresses);
  }
}

/** The line of a file that is a seed. */
async function readSeed(file: string): Promise<Uint8Array> {
  return new TextEncoder().encode((await readFile(file, "utf8")).trim());
}

function pickDefined(tls: NonNullable<NatsTransportOptions["tls"]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tls).flatMap(([key, value]: [string, unknown]) =>
      typeof value === "string" ? [[key, value]] : [],
    ),
  );
}

function toConnectError(thrown: unknown, addresses: readonly string[]): MeshError {
  const named = addresses.join(", ").slice(0, 200);
  const text = thrown instanceof Error ? thrown.message.slice(0, 200) : "";
  if (/authorization|authentication/i.test(text)) {
    return new MeshError("UNAUTHORIZED", `The NATS server at ${named} rejected the credentials.`, {
      suggestion: "Check the transport's `credentials`.",
      cause: thrown,
    });
  }
  return new MeshError(
    "SERVICE_UNAVAILABLE",
    `No connection to a NATS server at ${named} (${text}).`,
    {
      suggestion: "Start the server, or correct the transport's `servers` and `tls`.",
      cause: thrown,
    },
  );
}

import { resolve } from "node:path";
import type { Transport } from "@constellation/core/transport";
import type { MeshFile } from "./mesh-file.schema.js";

/** A transport, and what serving over it needs. */
export interface MadeTransport {
  readonly transport: Transport;
  /** Its servers, for people. */
  readonly servers: string;
  readonly trustedPeers: readonly string[] | "all";
}

/**
 * Makes the transport of a mesh file. It is not connected yet.
 *
 * @param mesh - Its name, where the transport gives none.
 * @param folder - Of the file: paths are relative to it.
 * @throws Error that names a wrong option, or the package that is missing.
 */
export async function createMeshTransport(
  given: NonNullable<MeshFile["transport"]>,
  mesh: string | undefined,
  folder: string,
): Promise<MadeTransport> {
  const { trustedPeers = [], ...options } = typeof given === "string" ? { servers: given } : given;
  const { createNatsTransport } = await importNats();
  const { credentials, tls } = options;
  const transport = createNatsTransport({
    ...(mesh !== undefined && { mesh }),
    ...options,
    ...(credentials !== undefined && {
      credentials: withPaths(credentials, ["file", "nkeyFile"], folder),
    }),
    ...(tls !== undefined && { tls: withPaths(tls, ["caFile", "certFile", "keyFile"], folder) }),
  });
  return { transport, servers: [options.servers].flat().join(", "), trustedPeers };
}

async function importNats(): Promise<typeof import("@constellation/nats")> {
  try {
    return await import("@constellation/nats");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw thrown;
    throw new Error(
      "a NATS transport needs packages that are not installed: npm install @constellation/nats @nats-io/transport-node@3.3 @nats-io/kv@3.3.",
      { cause: thrown },
    );
  }
}

function withPaths<Options extends object>(
  options: Options,
  keys: readonly string[],
  folder: string,
): Options {
  const entries = Object.entries(options).map(([key, value]: [string, unknown]) => [
    key,
    keys.includes(key) && typeof value === "string" ? resolve(folder, value) : value,
  ]);
  return Object.fromEntries(entries) as Options; // the same keys
}

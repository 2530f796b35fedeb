import type { Transport } from "@constellation/transport";
import { ConfigurationError } from "../configuration-error.js";
import type { MeshFile } from "./mesh-file.schema.js";
import type { MeshSource } from "./mesh-source.js";
import { OptionsShape } from "./options-shape.js";
import { schemaProblems } from "./schema-problems.js";
import { loadTransport, readTransport } from "./transports.js";

/** A transport, with the data for serving over it. */
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
 * @throws ConfigurationError with a line for each thing that is wrong, and its place in the file.
 */
export async function createMeshTransport(
  source: MeshSource,
  given: NonNullable<MeshFile["transport"]>,
  mesh: string | undefined,
): Promise<MadeTransport> {
  const { kind, options, path, servers, trustedPeers } = readTransport(given);
  const { optionsSchema, create } = await loadTransport[kind]().catch((thrown: Error) => {
    throw new ConfigurationError(source.problem(["transport"], thrown.message));
  });
  const shape = new OptionsShape(optionsSchema);
  const named = mesh === undefined ? options : { mesh, ...options };
  const checked = optionsSchema.safeParse(shape.withPaths(named, source.folder));
  if (!checked.success) {
    const isShort = typeof given === "string";
    const findPath = (below: readonly PropertyKey[]) => (isShort ? path : [...path, ...below]);
    const problems = schemaProblems(source, checked.error.issues, { findPath, shape });
    throw new ConfigurationError(problems.join("\n"));
  }
  return { transport: create(checked.data), servers, trustedPeers };
}

import { MeshError, withDeadline } from "@constellation/core";
import type { CommandIO } from "./command-io.js";
import { ConfigurationError } from "./configuration-error.js";
import { findMesh } from "./mesh/find-mesh.js";
import { type LoadMeshOptions, loadMesh, type Mesh } from "./mesh/load-mesh.js";
import { paintFor } from "./terminal/paint.js";
import { sanitizeLine } from "./terminal/sanitize-line.js";
import { startTracing } from "./tracing.js";

/** How a command opens a mesh. */
export interface OpenMeshOptions extends Omit<LoadMeshOptions, "cwd" | "env" | "signal"> {
  /** Name of the command in traces, where telemetry is configured. Not given: nothing is traced. */
  readonly traceAs?: string | undefined;
}

/** Opens the mesh that the user named, or the default one, runs `work`, and closes the mesh. */
export async function withOpenMesh<Result>(
  file: string | undefined,
  io: CommandIO,
  { traceAs: name, ...options }: OpenMeshOptions,
  work: (mesh: Mesh) => Promise<Result>,
): Promise<Result> {
  const mesh = await openMesh(file, io, options);
  try {
    const tracing = name === undefined ? undefined : await startTracing(mesh, io, { name });
    try {
      return await work(mesh);
    } finally {
      await tracing?.close();
    }
  } finally {
    await closeMesh(mesh);
  }
}

/** Loads the mesh that the user named, or the default one, and prints its notices. */
async function openMesh(
  file: string | undefined,
  io: CommandIO,
  options: LoadMeshOptions,
): Promise<Mesh> {
  const { cwd, env, stderr, signal } = io;
  const mesh = await loadMesh(file ?? findMesh(cwd), { ...options, cwd, env, signal });
  await connect(mesh, signal);
  const paint = paintFor(stderr, env);
  for (const notice of mesh.notices)
    stderr.write(`${paint("yellow", "Note:")} ${sanitizeLine(notice)}\n`);
  return mesh;
}

/** Maximum time for the transport to connect, in milliseconds. */
const connectTimeoutMs = 10_000;

/** Connects to the other processes of a mesh, where it has any: then their librarians are known. */
async function connect(mesh: Mesh, signal: AbortSignal): Promise<void> {
  const { transport, servers } = mesh.transport ?? {};
  if (transport === undefined) return;
  try {
    await withDeadline({ signal, timeoutMs: connectTimeoutMs }, (ends) => transport.open(ends));
  } catch (thrown) {
    await closeMesh(mesh);
    if (signal.aborted) throw thrown;
    const { message, suggestion } = MeshError.from(thrown, "transport");
    throw new ConfigurationError(`transport ${servers}: ${message} ${suggestion}`, {
      cause: thrown,
    });
  }
}

/** Maximum time for librarians to stop, in milliseconds. */
const closeTimeoutMs = 2_000;

async function closeMesh({ router, journal }: Mesh): Promise<void> {
  await router.close({ timeoutMs: closeTimeoutMs });
  await journal?.close(); // the journal of a module is not attached to its router
}

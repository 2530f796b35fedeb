import type { CommandIO } from "./command-io.js";
import { findMesh } from "./mesh/find-mesh.js";
import { loadMesh, type Mesh } from "./mesh/load-mesh.js";
import { paintFor } from "./terminal/paint.js";
import { sanitizeLine } from "./terminal/sanitize-line.js";

/** Loads the mesh that the user named, or the default one, and prints its notices. */
export async function openMesh(file: string | undefined, io: CommandIO): Promise<Mesh> {
  const { cwd, env, stderr, signal } = io;
  const mesh = await loadMesh(file ?? findMesh(cwd), { cwd, env, signal });
  const paint = paintFor(stderr, env);
  for (const notice of mesh.notices)
    stderr.write(`${paint("yellow", "Note:")} ${sanitizeLine(notice)}\n`);
  return mesh;
}

/** Longest time for librarians to stop, in milliseconds. */
const closeTimeoutMs = 2_000;

/** Closes a mesh. */
export async function closeMesh({ router }: Mesh): Promise<void> {
  await router.close({ timeoutMs: closeTimeoutMs });
}

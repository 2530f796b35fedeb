import { Readable, Writable } from "node:stream";
import type { User } from "@constellation/core";
import { serveStdio } from "@constellation/mcp";
import { type CommandIO, exitCodes } from "../command-io.js";
import { withOpenMesh } from "../open-mesh.js";

/** Command-line options of `mcp`. */
export interface McpFlags {
  readonly mesh?: string;
  readonly as?: User;
}

/** `constellation mcp`: the mesh as an MCP server on the standard streams. */
export async function mcp(flags: McpFlags, io: CommandIO): Promise<number> {
  const { stdin, stdout, signal } = io;
  const options = { hasThreads: true, traceAs: "constellation mcp" };
  return withOpenMesh(flags.mesh, io, options, async (mesh) => {
    await serveStdio(mesh.router, {
      ...mesh.mcp,
      name: mesh.name,
      threads: mesh.journal !== undefined,
      signal,
      user: flags.as,
      ...(stdin instanceof Readable && { stdin }),
      ...(stdout instanceof Writable && { stdout }),
    });
    return exitCodes.answered;
  });
}

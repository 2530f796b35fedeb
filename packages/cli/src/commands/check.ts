import { sanitizeText } from "@constellation/core/authoring";
import { type CommandIO, exitCodes } from "../command-io.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { closeMesh, openMesh } from "../open-mesh.js";
import { paintFor } from "../terminal/paint.js";
import { printableJson } from "../terminal/printable-json.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Options of `check`, as the command line has them. */
export interface CheckFlags {
  readonly mesh?: string;
  readonly json?: true;
  readonly mermaid?: true;
  readonly health?: true;
}

/** Longest time for one health check, in milliseconds. */
const healthTimeoutMs = 10_000;

/** `constellation check`: problems of a mesh, before any question. */
export async function check(flags: CheckFlags, io: CommandIO): Promise<number> {
  const mesh = await openMesh(flags.mesh, io);
  try {
    const found = mesh.router.check();
    const down = flags.health === true ? await downIn(mesh) : [];
    const problems = [...found.problems, ...down];
    const ok = problems.length === 0;
    const librarians = mesh.router.list();
    const paint = paintFor(io.stdout, io.env);
    if (flags.json === true) {
      io.stdout.write(`${printableJson({ ok, librarians: librarians.length, problems })}\n`);
    } else if (flags.mermaid === true) {
      io.stdout.write(`${sanitizeText(found.toMermaid())}\n`);
    } else {
      for (const { kind, message } of problems) {
        io.stdout.write(`${paint("red", "✗")} ${kind}: ${sanitizeLine(message)}\n`);
      }
      const count = `${librarians.length} ${librarians.length === 1 ? "librarian" : "librarians"}`;
      const size = `${problems.length} ${problems.length === 1 ? "problem" : "problems"}`;
      io.stdout.write(
        ok ? `${paint("green", "✓")} ${count}, no problems\n` : `\n${count}, ${size}\n`,
      );
    }
    return ok ? exitCodes.answered : exitCodes.failed;
  } finally {
    await closeMesh(mesh);
  }
}

/** Librarians that could not answer now, such as one whose MCP server has no tool of that name. */
async function downIn({ router }: Mesh) {
  const report = await router.health({ timeoutMs: healthTimeoutMs });
  return Object.entries(report).flatMap(([id, { status, message = "no reason given" }]) =>
    status === "down" ? [{ kind: "down", ids: [id], message: `${id}: ${message}` }] : [],
  );
}

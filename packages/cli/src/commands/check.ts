import { sanitizeText } from "@constellation/core/authoring";
import { type CommandIO, exitCodes } from "../command-io.js";
import { closeMesh, openMesh } from "../open-mesh.js";
import { paintFor } from "../terminal/paint.js";
import { printableJson } from "../terminal/printable-json.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Options of `check`, as the command line has them. */
export interface CheckFlags {
  readonly mesh?: string;
  readonly json?: true;
  readonly mermaid?: true;
}

/** `constellation check`: problems of a mesh, before any question. */
export async function check(flags: CheckFlags, io: CommandIO): Promise<number> {
  const mesh = await openMesh(flags.mesh, io);
  try {
    const report = mesh.router.check();
    const librarians = mesh.router.list();
    const paint = paintFor(io.stdout, io.env);
    if (flags.json === true) {
      const { ok, problems } = report;
      io.stdout.write(`${printableJson({ ok, librarians: librarians.length, problems })}\n`);
    } else if (flags.mermaid === true) {
      io.stdout.write(`${sanitizeText(report.toMermaid())}\n`);
    } else {
      for (const { kind, message } of report.problems) {
        io.stdout.write(`${paint("red", "✗")} ${kind}: ${sanitizeLine(message)}\n`);
      }
      const count = `${librarians.length} ${librarians.length === 1 ? "librarian" : "librarians"}`;
      const problems = `${report.problems.length} ${report.problems.length === 1 ? "problem" : "problems"}`;
      io.stdout.write(
        report.ok ? `${paint("green", "✓")} ${count}, no problems\n` : `\n${count}, ${problems}\n`,
      );
    }
    return report.ok ? exitCodes.answered : exitCodes.failed;
  } finally {
    await closeMesh(mesh);
  }
}

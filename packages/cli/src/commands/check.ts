import { sanitizeText } from "@constellation/authoring";
import { type CommandIO, exitCodes } from "../command-io.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { findRoutingWarnings } from "../mesh/routing-warnings.js";
import { withOpenMesh } from "../open-mesh.js";
import { listNotStarted } from "../serve/print-problems.js";
import { countText } from "../terminal/format.js";
import { paintFor } from "../terminal/paint.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Command-line options of `check`. */
export interface CheckFlags {
  readonly mesh?: string;
  readonly output: OutputFormat;
  readonly mermaid?: true;
  readonly health?: true;
}

/** Maximum time for one health check, in milliseconds. */
const healthTimeoutMs = 10_000;

/** `constellation check`: problems of a mesh, before any question. Warnings do not make it fail. */
export async function check(flags: CheckFlags, io: CommandIO): Promise<number> {
  return withOpenMesh(flags.mesh, io, {}, async (mesh) => {
    const found = mesh.router.check();
    const notStarted = await notStartedIn(mesh, io.signal);
    const down = flags.health === true ? await downIn(mesh) : [];
    const problems = [...found.problems, ...notStarted, ...down];
    const ok = problems.length === 0;
    const librarians = mesh.router.list();
    const warnings = [...found.warnings, ...findRoutingWarnings(librarians)];
    const paint = paintFor(io.stdout, io.env);
    if (flags.mermaid === true) {
      io.stdout.write(`${sanitizeText(found.toMermaid())}\n`);
    } else if (flags.output !== "table") {
      const counted = { ok, librarians: librarians.length, problems, warnings };
      await printData(counted, flags.output, io);
    } else {
      for (const { kind, message } of problems) {
        io.stdout.write(`${paint("red", "✗")} ${kind}: ${sanitizeLine(message)}\n`);
      }
      for (const { kind, message } of warnings) {
        io.stdout.write(`${paint("yellow", "!")} ${kind}: ${sanitizeLine(message)}\n`);
      }
      const size = [
        countText(librarians.length, "librarian"),
        ok ? "no problems" : countText(problems.length, "problem"),
        ...(warnings.length > 0 ? [countText(warnings.length, "warning")] : []),
      ].join(", ");
      io.stdout.write(ok ? `${paint("green", "✓")} ${size}\n` : `\n${size}\n`);
    }
    return ok ? exitCodes.answered : exitCodes.failed;
  });
}

/** Librarians whose `start` fails: they would answer no question. */
export async function notStartedIn({ router }: Mesh, signal: AbortSignal) {
  try {
    await router.open({ signal });
    return [];
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    return listNotStarted(thrown).map(({ id, message }) => ({
      kind: "not-started",
      ids: [id],
      message,
    }));
  }
}

/** Librarians that could not answer now, such as one whose MCP server has no tool of that name. */
export async function downIn({ router }: Mesh) {
  const report = await router.health({ timeoutMs: healthTimeoutMs });
  return Object.entries(report).flatMap(
    ([id, { status, message = "no reason given", hasNotStarted }]) =>
      status === "down" && hasNotStarted !== true
        ? [{ kind: "down", ids: [id], message: `${id}: ${message}` }]
        : [],
  );
}

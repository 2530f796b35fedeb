import type { Router } from "@constellation/core";
import type { CommandIO } from "../command-io.js";
import { paintFor } from "../terminal/paint.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Maximum number of problems that are printed. */
const maxProblems = 5;

/** Prints what `constellation check` would find: a mesh that is served all the same. */
export function printProblems(router: Router, { stderr, env }: CommandIO): void {
  const { problems } = router.check();
  const paint = paintFor(stderr, env);
  for (const { kind, message } of problems.slice(0, maxProblems)) {
    stderr.write(`${paint("yellow", "Note:")} ${kind}: ${sanitizeLine(message)}\n`);
  }
  const rest = problems.length - maxProblems;
  if (rest > 0) stderr.write(`Note: ${rest} more problems. \`constellation check\` prints all.\n`);
}

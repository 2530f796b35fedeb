import { MeshError, type Router } from "@constellation/core";
import type { CommandIO } from "../command-io.js";
import { paintFor } from "../terminal/paint.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Maximum number of problems that are printed. */
const maxProblems = 5;

/** Librarians that did not start, with the reason, from what `open` of a router throws. */
export function listNotStarted(thrown: unknown): readonly { id: string; message: string }[] {
  const errors: readonly unknown[] = thrown instanceof AggregateError ? thrown.errors : [];
  return errors.flatMap((error) => {
    if (!(error instanceof MeshError)) return [];
    const { librarian: id = "unknown", message, cause } = error;
    const why = cause instanceof Error ? ` ${cause.message}` : "";
    return [{ id, message: `${message}${why}` }];
  });
}

/** Prints the librarians that did not start: the rest is served. */
export function printNotStarted(thrown: unknown, { stderr, env }: CommandIO): void {
  const paint = paintFor(stderr, env);
  for (const { message } of listNotStarted(thrown)) {
    stderr.write(`${paint("red", "Not started:")} ${sanitizeLine(message)}\n`);
  }
}

/** Prints the problems that `constellation check` finds. The mesh is served all the same. */
export function printProblems(router: Router, { stderr, env }: CommandIO): void {
  const { problems, warnings } = router.check();
  const found = [...problems, ...warnings];
  const paint = paintFor(stderr, env);
  for (const { kind, message } of found.slice(0, maxProblems)) {
    stderr.write(`${paint("yellow", "Note:")} ${kind}: ${sanitizeLine(message)}\n`);
  }
  const rest = found.length - maxProblems;
  if (rest > 0) stderr.write(`Note: ${rest} more. \`constellation check\` prints all.\n`);
}

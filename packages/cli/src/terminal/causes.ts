import type { MeshEvent, Router } from "@constellation/core";
import { sanitizeText } from "@constellation/core/authoring";
import { authorFrame } from "../author-frame.js";
import type { CommandIO } from "../command-io.js";
import { paintFor } from "./paint.js";
import { sanitizeLine } from "./sanitize-line.js";

/** What a librarian threw, for its author. */
export interface Cause {
  readonly to: string;
  readonly thrown: unknown;
}

/** Maximum number of causes that are printed. */
const maxCauses = 10;

/** Passes events on, and collects what librarians threw. */
export async function* collectCauses(
  events: AsyncIterable<MeshEvent>,
  causes: Cause[],
): AsyncGenerator<MeshEvent> {
  for await (const event of events) {
    const cause = causeOf(event);
    if (cause !== undefined && causes.length < maxCauses) causes.push(cause);
    yield event;
  }
}

/** Prints what librarians throw, from now on. @returns Ends it. */
export function printThrown(router: Pick<Router, "on">, io: CommandIO): () => void {
  return router.on("hop:end", (event) => {
    const cause = causeOf(event);
    if (cause !== undefined) printCauses([cause], io, { stacks: false });
  });
}

/** What a librarian threw; not where it only stopped when it had to. */
function causeOf(event: MeshEvent): Cause | undefined {
  if (event.type !== "hop:end" || event.cause === undefined) return undefined;
  return event.error?.code === "TIMEOUT" ? undefined : { to: event.to, thrown: event.cause };
}

/** Prints what librarians threw: message and the author's own line, or the whole stack. */
export function printCauses(
  causes: readonly Cause[],
  { stderr, env, cwd }: CommandIO,
  { stacks }: { readonly stacks: boolean },
): void {
  const paint = paintFor(stderr, env);
  for (const { to, thrown } of causes) {
    const { message, stack } = readThrown(thrown);
    const place = authorFrame(stack, cwd);
    const where = place === undefined ? "" : `\n    at ${sanitizeLine(place)}`;
    const shown =
      stacks && stack !== "" ? sanitizeText(stack.slice(0, 20_000)) : `${message}${where}`;
    stderr.write(`${paint("red", `${sanitizeLine(to, 64)} threw`)} ${shown}\n`);
  }
}

/** Anything can be thrown, also what throws when it is read. */
function readThrown(thrown: unknown): { readonly message: string; readonly stack: string } {
  try {
    if (!(thrown instanceof Error)) return { message: sanitizeLine(String(thrown)), stack: "" };
    const { name, message, stack } = thrown;
    return {
      message: sanitizeLine(`${name}: ${message}`),
      stack: typeof stack === "string" ? stack : "",
    };
  } catch {
    return { message: "a value that cannot be read", stack: "" };
  }
}

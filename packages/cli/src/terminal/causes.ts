import { sanitizeText } from "@constellation/authoring";
import type { MeshEvent, Router } from "@constellation/core";
import { authorFrame } from "../author-frame.js";
import type { CommandIO } from "../command-io.js";
import { paintFor } from "./paint.js";
import { sanitizeLine } from "./sanitize-line.js";

/** An exception of a librarian, for its author. */
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
    const cause = findCause(event);
    if (cause !== undefined && causes.length < maxCauses) causes.push(cause);
    yield event;
  }
}

/**
 * Prints for their author, from now on, what librarians throw, and which of them ignore their signal. @returns A
 * function that stops it.
 */
export function printAuthorFaults(router: Pick<Router, "on">, io: CommandIO): () => void {
  const { stderr, env } = io;
  const paint = paintFor(stderr, env);
  const off = [
    router.on("hop:end", (event) => {
      const cause = findCause(event);
      if (cause !== undefined) printCauses([cause], io, { stacks: false });
    }),
    router.on("hop:abandoned", ({ to, reason }) => {
      stderr.write(
        `${paint("red", `${sanitizeLine(to, 64)} ignored its signal`)} (${reason}) and still works, although no one waits for it. ${passSignal}\n`,
      );
    }),
  ];
  return () => {
    for (const stop of off) stop();
  };
}

/** Advice for a librarian that ignores its signal. */
const passSignal = "Pass it on: async (query, { signal }) => fetch(url, { signal }).";

/** From now on, prints librarians that block the event loop for 0.2 s or more. @returns A function that stops it. */
export function printBlocking(router: Pick<Router, "on">, { stderr, env }: CommandIO): () => void {
  const paint = paintFor(stderr, env);
  return router.on("hop:end", ({ to, blockedMs }) => {
    if (blockedMs === undefined) return;
    stderr.write(
      `${paint("yellow", `${sanitizeLine(to, 64)} blocked the event loop for ${(blockedMs / 1_000).toFixed(1)} s`)}: nothing else ran. Move long computations to a worker thread.\n`,
    );
  });
}

/** Prints a rejection that no one handled, with its stack. */
export function printRejection(
  { librarian, reason }: { readonly librarian?: string | undefined; readonly reason: unknown },
  { stderr, env }: CommandIO,
): void {
  const paint = paintFor(stderr, env);
  const { message, stack } = readThrown(reason);
  const who = librarian === undefined ? "A promise" : `A promise of ${sanitizeLine(librarian, 64)}`;
  const shown = stack === "" ? message : sanitizeText(stack.slice(0, 20_000));
  stderr.write(
    `${paint("red", `${who} was rejected, and nothing handled it`)}: write \`await\` before the call. ${shown}\n`,
  );
}

/** The exception of a librarian, unless it only stopped as requested. */
function findCause(event: MeshEvent): Cause | undefined {
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

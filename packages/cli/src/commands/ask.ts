import { createInterface } from "node:readline";
import type { Response, User } from "@constellation/core";
import { didYouMean } from "@constellation/core/checks";
import { promptWaits } from "../approvals/answer-wait.js";
import { type AskAndPrintOptions, askAndPrint } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { journalIn } from "../mesh/create-journal.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { withOpenMesh } from "../open-mesh.js";
import { storeRun } from "../runs/store-run.js";
import type { OutputFormat } from "../terminal/printable-data.js";
import { startTracing } from "../tracing.js";

/** Command-line options of `ask`. */
export interface AskFlags {
  readonly mesh?: string;
  readonly to?: string;
  readonly thread?: string;
  readonly timeout?: number;
  readonly as?: User;
  readonly journal?: string | false;
  readonly output: OutputFormat;
  readonly mermaid?: true;
  readonly tree?: true;
  readonly full?: true;
  readonly trace?: true;
  readonly debug?: true;
  readonly quiet?: true;
}

/** `constellation ask`: one question, one answer. */
export async function ask(
  words: readonly string[],
  flags: AskFlags,
  io: CommandIO,
): Promise<number> {
  const query = await readQuery(words, io);
  const options = {
    debug: flags.debug,
    journal: flags.journal,
    defaultJournal: journalIn(io.env),
  };
  return withOpenMesh(flags.mesh, io, options, async (mesh) => {
    requireLibrarian(flags.to, mesh);
    const tracing = await startTracing(mesh, io, {
      name: "constellation ask",
      trace: flags.trace === true,
    });
    try {
      const { exitCode, response, run } = await tracing.within(() =>
        askAndPrint(mesh.router, query, io, {
          ...toAskOptions(flags),
          summary: flags.full !== true,
        }),
      );
      const { as: user, output } = flags;
      await storeRun(mesh, { record: run, response, ...(user && { user }) }, io);
      if (output !== "table" || flags.mermaid === true || !isTerminal(io)) return exitCode;
      return await tracing.within(() => answerWaits(mesh, response, exitCode, flags, io));
    } finally {
      await tracing.close();
    }
  });
}

/** Asks about the waits of a run, on a terminal. @returns The exit code. */
async function answerWaits(
  mesh: Mesh,
  response: Response,
  exitCode: number,
  { as: user }: AskFlags,
  io: CommandIO,
): Promise<number> {
  if (response.metadata?.waiting === undefined) return exitCode;
  const lines = createInterface({ input: io.stdin, terminal: false });
  const next = lines[Symbol.asyncIterator]();
  const stop = () => lines.close();
  io.signal.addEventListener("abort", stop, { once: true });
  try {
    const last = await promptWaits(
      mesh,
      response,
      user,
      async (text) => {
        io.stdout.write(text);
        const { value, done } = await next.next();
        return done === true ? undefined : value;
      },
      io,
    );
    return last.answer === undefined ? exitCodes.failed : exitCodes.answered;
  } finally {
    io.signal.removeEventListener("abort", stop);
    lines.close();
  }
}

/** Whether input and output are a terminal. */
export function isTerminal({ stdin, stdout }: CommandIO): boolean {
  return stdin.isTTY === true && stdout.isTTY === true;
}

/** What the flags mean for one question. */
export function toAskOptions({
  to,
  thread,
  timeout,
  as: user,
  output,
  mermaid,
  tree,
  debug,
  quiet,
}: Omit<AskFlags, "thread"> & Pick<AskAndPrintOptions, "thread">): AskAndPrintOptions {
  const format = mermaid === true ? "mermaid" : output;
  return { to, thread, timeoutMs: timeout, user, format, tree, debug, quiet };
}

/** @throws ConfigurationError for an unknown id. */
export function requireLibrarian(to: string | undefined, { router }: Mesh): void {
  if (to === undefined) return;
  const ids = router.list().map(({ id }) => id);
  if (ids.includes(to)) return;
  const known =
    ids.length > 20 ? "`constellation list` shows them all." : `Registered: ${ids.join(", ")}.`;
  throw new ConfigurationError(
    `--to: the librarian "${to}" was not found.${didYouMean(to, ids)} ${known}`,
  );
}

const maxQueryLength = 1_000_000;

/** The question: the words of the command line; for `-`, the text on stdin. */
async function readQuery(words: readonly string[], { stdin }: CommandIO): Promise<string> {
  const query = words.length === 1 && words[0] === "-" ? await readAll(stdin) : words.join(" ");
  if (query.trim() === "") {
    throw new ConfigurationError('The question is empty. Try: constellation ask "What is wrong?"');
  }
  return query;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.length > maxQueryLength) {
      throw new ConfigurationError(
        `The question is longer than ${maxQueryLength.toLocaleString("en")} characters. Shorten it.`,
      );
    }
  }
  return text.trim();
}

import { sanitizeText } from "@constellation/authoring";
import type { User } from "@constellation/core";
import type { StoredThread, ThreadAccess, ThreadSummary, Threads } from "@constellation/journal";
import { type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { openJournal } from "../mesh/open-journal.js";
import { findNamed, maxSearched } from "../runs/find-run.js";
import { formatSecond } from "../terminal/format.js";
import { paintFor } from "../terminal/paint.js";
import { type OutputFormat, printableJson, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { drawTable } from "../terminal/table.js";

/** Actions of `threads`. */
export type ThreadsAction = "list" | "show" | "rename" | "delete" | "export";

/** Command-line options of `threads`. */
export interface ThreadsFlags {
  readonly journal?: string;
  readonly as?: User;
  readonly limit: number;
  readonly output: OutputFormat;
}

/** Number of arguments of each action. */
const arity = {
  list: [0, 0, "no id"],
  show: [0, 1, "one id"],
  rename: [2, Number.POSITIVE_INFINITY, "an id and a title"],
  delete: [1, 1, "one id"],
  export: [0, 1, "one id"],
} as const;

/** `constellation threads`: what was asked in threads, for the user who asked, or for the operator of the mesh. */
export async function threads(
  action: ThreadsAction,
  [name, ...words]: readonly string[],
  flags: ThreadsFlags,
  io: CommandIO,
): Promise<number> {
  const given = (name === undefined ? 0 : 1) + words.length;
  const [min, max, expected] = arity[action];
  if (given < min || given > max) {
    throw new ConfigurationError(`threads ${action}: expected ${expected}, got ${given}.`);
  }
  const journal = await openJournal(flags, io);
  try {
    const access: ThreadAccess = flags.as ?? "operator";
    if (action === "list") return await list(journal.threads, access, flags, io);
    const { id } = await findThread(journal.threads, access, name ?? "last");
    switch (action) {
      case "rename": {
        const { title } = await journal.threads.rename(id, words.join(" "), access);
        io.stdout.write(`${sanitizeLine(id)}  ${sanitizeLine(title)}\n`);
        break;
      }
      case "delete":
        await journal.threads.delete(id, access);
        io.stdout.write(`Deleted ${sanitizeLine(id)} and its runs.\n`);
        break;
      case "export":
        io.stdout.write(`${printableJson(await journal.threads.read(id, access))}\n`);
        break;
      case "show":
        await show(await journal.threads.read(id, access), flags, io);
    }
    return exitCodes.answered;
  } finally {
    await journal.close();
  }
}

async function list(
  kept: Threads,
  access: ThreadAccess,
  { limit, output }: ThreadsFlags,
  io: CommandIO,
): Promise<number> {
  const found = await kept.list(access, { limit });
  if (output !== "table") await printData({ threads: found }, output, io);
  else if (found.length === 0) io.stderr.write("No thread is stored yet.\n");
  else {
    const rows = found.map(({ id, user = "-", updatedAt, title }) => [
      sanitizeLine(id, 36),
      formatSecond(updatedAt),
      sanitizeLine(user, 40),
      sanitizeLine(title, 80),
    ]);
    const table = [["Thread", "Last question (UTC)", "User", "Title"], ...rows];
    io.stdout.write(`${drawTable(table, io)}\n`);
  }
  return exitCodes.answered;
}

async function show(thread: StoredThread, { output }: ThreadsFlags, io: CommandIO): Promise<void> {
  if (output !== "table") return printData({ thread }, output, io);
  const paint = paintFor(io.stdout, io.env);
  const turns = thread.turns.map(({ query, asked, answer, code, runId, at }) => {
    const whole = asked === undefined ? "" : paint("dim", `\n(asked: ${sanitizeLine(asked)})`);
    const outcome = answer ?? code ?? "(no answer yet)";
    const place = paint("dim", `${formatSecond(at)}, run ${sanitizeLine(runId, 8)}`);
    return `${place}\n${paint("bold", sanitizeText(query))}${whole}\n\n${sanitizeText(outcome).trim()}`;
  });
  io.stdout.write(`${[paint("bold", sanitizeLine(thread.title)), ...turns].join("\n\n")}\n`);
}

/** @throws ConfigurationError where no thread, or several, have the name. */
async function findThread(
  kept: Threads,
  access: ThreadAccess,
  name: string,
): Promise<ThreadSummary> {
  const all = await kept.list(access, { limit: name === "last" ? 1 : maxSearched });
  const found = await findNamed(all, ({ id }) => id, name, "thread");
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `Thread "${sanitizeLine(name, 80)}" not found. \`constellation threads\` lists them.`,
  );
}

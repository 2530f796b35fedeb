import { randomUUID } from "node:crypto";
import { createInterface, type Interface } from "node:readline";
import { promptWaits } from "../approvals/answer-wait.js";
import { askAndPrint } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { journalIn } from "../mesh/create-journal.js";
import { withOpenMesh } from "../open-mesh.js";
import { paintFor } from "../terminal/paint.js";
import {
  type AskFlags,
  isTerminal as isOnTerminal,
  requireLibrarian,
  toAskOptions,
} from "./ask.js";

/** `constellation chat`: one question after the other, until Ctrl-D. */
export async function chat(flags: AskFlags, io: CommandIO): Promise<number> {
  const options = {
    debug: flags.debug,
    journal: flags.journal,
    defaultJournal: journalIn(io.env),
    hasThreads: true,
    traceAs: "constellation chat",
  };
  return withOpenMesh(flags.mesh, io, options, async (mesh) => {
    requireLibrarian(flags.to, mesh);
    const isTerminal = isOnTerminal(io);
    if (isTerminal) {
      const paint = paintFor(io.stdout, io.env);
      io.stdout.write(
        `${paint("dim", `Ask ${mesh.name}. Ctrl-C cancels a question, Ctrl-D ends, /help explains.`)}\n`,
      );
    }
    const lines = createInterface({
      input: io.stdin,
      ...(isTerminal && { output: io.stdout as NodeJS.WritableStream }), // a terminal is a stream
      terminal: isTerminal,
      prompt: paintFor(io.stdout, io.env)("bold", "› "),
    });
    // A module has attached its journal itself, if it has one.
    const thread = flags.thread ?? (mesh.own === undefined ? undefined : randomUUID());
    return await converse(
      lines,
      isTerminal,
      { ...flags, thread },
      io,
      async (query, options, turnIO) => {
        const outcome = await askAndPrint(mesh.router, query, turnIO, options);
        if (!isTerminal) return outcome;
        const question = (text: string) =>
          new Promise<string | undefined>((resolve) => {
            lines.once("close", () => resolve(undefined));
            lines.question(text, resolve);
          });
        const response = await promptWaits(mesh, outcome.response, flags.as, question, turnIO);
        return { ...outcome, response };
      },
    );
  });
}

/** With the thread that the questions are asked in, if any. */
type ChatFlags = Omit<AskFlags, "thread"> & { readonly thread: string | undefined };

type Ask = (
  query: string,
  options: Parameters<typeof askAndPrint>[3],
  io: CommandIO,
) => ReturnType<typeof askAndPrint>;

async function converse(
  lines: Interface,
  isTerminal: boolean,
  flags: ChatFlags,
  io: CommandIO,
  ask: Ask,
): Promise<number> {
  let running: AbortController | undefined;
  const end = () => {
    running?.abort();
    lines.close();
  };
  io.signal.addEventListener("abort", end, { once: true });
  lines.on("SIGINT", () => {
    if (running !== undefined) return running.abort();
    io.stdout.write("\n(Ctrl-D ends.)\n");
    lines.prompt();
  });
  if (io.signal.aborted) end();
  else if (isTerminal) lines.prompt();
  try {
    for await (const line of lines) {
      if (io.signal.aborted) break;
      const query = line.trim();
      const word = query.toLowerCase();
      if (["exit", "quit", "/exit", "/quit"].includes(word)) break;
      if (query.startsWith("/")) {
        io.stdout.write(word === "/help" ? chatHelp : `Unknown command. ${chatHelp}`);
      } else if (query !== "") {
        running = new AbortController();
        const options = { ...toAskOptions(flags), tree: flags.tree === true };
        const turnIO = { ...io, signal: running.signal };
        await ask(query, options, turnIO);
        running = undefined;
        io.stdout.write("\n");
      }
      if (isTerminal) lines.prompt();
    }
    return io.signal.aborted ? exitCodes.interrupted : exitCodes.answered;
  } finally {
    io.signal.removeEventListener("abort", end);
    lines.close();
  }
}

const chatHelp =
  "Type a question. Ctrl-C cancels it; Ctrl-D, exit or /exit ends. Librarians read what was said before.\n";

import { Argument, type Command } from "commander";
import type { CommandIO } from "../command-io.js";
import type { ThreadsAction, ThreadsFlags } from "../commands/threads.js";
import { as, journal, type RunCommand, readCount, withOutput } from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds `threads`. */
export function addThreadsCommand(program: Command, io: CommandIO, run: RunCommand): void {
  const help = createHelpText(io);
  withOutput(program.command("threads"), "the list or the thread")
    .description("Lists, shows, renames, deletes and exports threads of questions.")
    .addArgument(
      new Argument("[action]", "what to do")
        .choices(["list", "show", "rename", "delete", "export"])
        .default("list"),
    )
    .argument("[id...]", "id of a thread, or the beginning of it; last: the newest. Then its title")
    .addOption(
      journal(
        "file or Postgres address of the journal (default: CONSTELLATION_JOURNAL, else .constellation/journal.db)",
      ),
    )
    .addOption(as("only the threads of this user (default: those of all)"))
    .option("--limit <number>", "maximum number of threads in the list", readCount, 20)
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation threads
  $ constellation threads show last
  $ constellation threads rename outage Checkout outage in May
  $ constellation threads export outage > outage.json
  $ constellation threads delete outage

A deleted thread takes its runs along.`),
    )
    .action(
      run(async (action: ThreadsAction, words: string[], flags: ThreadsFlags) =>
        (await import("../commands/threads.js")).threads(action, words, flags, io),
      ),
    );
}

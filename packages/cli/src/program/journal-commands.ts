import { Argument, type Command, Option } from "commander";
import type { CommandIO } from "../command-io.js";
import type { ApprovalsAction, ApprovalsFlags } from "../commands/approvals.js";
import type { RunsAction, RunsFlags } from "../commands/runs.js";
import type { ThreadsAction, ThreadsFlags } from "../commands/threads.js";
import {
  as,
  journal,
  mermaid,
  type RunCommand,
  readAmount,
  readCount,
  readDuration,
  readNonBlank,
  readSince,
  withMesh,
  withOutput,
} from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds the commands about what is in a journal: `runs`, `threads`, `approvals`. */
export function addJournalCommands(program: Command, io: CommandIO, run: RunCommand): void {
  const help = createHelpText(io);
  withOutput(program.command("runs"), "the list or the run", ["mermaid"])
    .description(
      "Lists, counts, shows, compares and exports the runs that serve, dev and ask keep.",
    )
    .addArgument(
      new Argument("[action]", "what to do")
        .choices(["list", "stats", "show", "diff", "export"])
        .default("list"),
    )
    .argument("[id...]", "id of a run, or the beginning of it; last, last~1 ... from the newest")
    .addOption(journal("file or Postgres address of the journal"))
    .option("--limit <number>", "maximum number of runs in the list", readCount, 20)
    .option(
      "--since <duration>",
      "those since then: 90m, 24h, 30d (default of stats: 24h)",
      readSince,
    )
    .option("--user <id>", "those of this user", readNonBlank)
    .option("--librarian <id>", "those in which this librarian was called", readNonBlank)
    .option("--slower <duration>", "those that took longer: 500ms, 2s", readDuration)
    .option("--cost <usd>", "those that cost more, in US dollars", readAmount)
    .option("--error <code>", "those with this error code", readNonBlank)
    .option("--failed", "those without an answer")
    .option("--search <text>", "those with this text in question, librarian or id", readNonBlank)
    .addOption(
      new Option("--by <what>", "a line of stats for each").choices([
        "librarian",
        "user",
        "model",
        "day",
      ]),
    )
    .option("--hops", "show each hop: why, asked, answered, calls of models")
    .option("--replayable", "export what each hop returned, for itReplays and replay --offline")
    .addOption(mermaid("print the run as a Mermaid flowchart"))
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation runs
  $ constellation runs --since 24h --librarian k8s --slower 2s
  $ constellation runs stats --since 7d --by librarian
  $ constellation runs show last --hops
  $ constellation runs diff last~1 last
  $ constellation runs export 5f0c > run.json
  $ constellation replay run.json --ask
  $ constellation runs export last --replayable > replayable.json

What was said in a hop is stored only by serve --record-content and by dev. Stats compare with the time
before, as long: \`--since 24h\` with the day before.`),
    )
    .action(
      run(async (action: RunsAction, ids: string[], flags: RunsFlags) =>
        (await import("../commands/runs.js")).runs(action, ids, flags, io),
      ),
    );

  withOutput(program.command("threads"), "the list or the thread")
    .description("Lists, shows, renames, deletes and exports threads of questions.")
    .addArgument(
      new Argument("[action]", "what to do")
        .choices(["list", "show", "rename", "delete", "export"])
        .default("list"),
    )
    .argument("[id...]", "id of a thread, or the beginning of it; last: the newest. Then its title")
    .addOption(journal("file or Postgres address of the journal"))
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

  withOutput(withMesh(program.command("approvals")), "the list")
    .description("Lists what runs wait for, and approves, refuses or answers it.")
    .addArgument(
      new Argument("[action]", "what to do")
        .choices(["list", "approve", "refuse", "answer", "repeat"])
        .default("list"),
    )
    .argument("[id...]", "as the list has it, or the beginning of the run's id; then the answer")
    .addOption(journal("file or Postgres address of the journal"))
    .addOption(as("user who answers"))
    .option("--comment <text>", "recorded with the answer", readNonBlank)
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation approvals
  $ constellation approvals approve 5f0c2a31 --as ann
  $ constellation approvals refuse 5f0c2a31.2 --as ann --comment "not before Monday"
  $ constellation approvals answer 77b1e0aa staging

The run continues here, with the librarians of the mesh file, and its answer is printed. \`repeat\` is for a
write of which no one knows the outcome: it did not happen, and is done.`),
    )
    .action(
      run(async (action: ApprovalsAction, ids: string[], flags: ApprovalsFlags) =>
        (await import("../commands/approvals.js")).approvals(action, ids, flags, io),
      ),
    );
}

import { Argument, type Command, Option } from "commander";
import type { CommandIO } from "../command-io.js";
import type { RunsAction, RunsFlags } from "../commands/runs.js";
import {
  journal,
  mermaid,
  type RunCommand,
  readAmount,
  readCount,
  readDuration,
  readNonBlank,
  readSince,
  withOutput,
} from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds `runs`. */
export function addRunsCommand(program: Command, io: CommandIO, run: RunCommand): void {
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
    .addOption(
      journal(
        "file or Postgres address of the journal (default: CONSTELLATION_JOURNAL, else .constellation/journal.db)",
      ),
    )
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
}

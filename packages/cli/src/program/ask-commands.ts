import type { Command } from "commander";
import type { CommandIO } from "../command-io.js";
import type { AskFlags } from "../commands/ask.js";
import type { EvalFlags } from "../commands/eval.js";
import type { ForkFlags } from "../commands/fork.js";
import type { ReplayFlags } from "../commands/replay.js";
import {
  journal,
  type RunCommand,
  readCount,
  readDuration,
  readNonBlank,
  readPercent,
  withAskOptions,
  withMesh,
  withOutput,
} from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds the commands that ask a mesh: `ask`, `chat`, `replay`, `eval`. */
export function addAskCommands(program: Command, io: CommandIO, run: RunCommand): void {
  const help = createHelpText(io);
  withAskOptions(program.command("ask"))
    .description("Asks a question and prints the answer with its sources.")
    .argument("<question...>", "the question; - reads it from stdin")
    .option("--full", "print the whole answer on a terminal, not the headlines of a long one")
    .option("--trace", "send the run to an OpenTelemetry collector and print the trace id")
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation ask "How do I roll back checkout?"
  $ constellation ask --mesh incident.yaml --to k8s --timeout 10s "What is wrong in shop?"
  $ constellation ask --json "Which pods crash?" > run.json
  $ git diff | constellation ask -
  $ constellation ask --thread outage "Is checkout healthy?"
  $ constellation ask --thread outage "Since when?"

Progress goes to stderr, the answer to stdout. On a terminal the answer of several librarians, or one that is longer
than the screen, is printed as its headlines and sources; --full and a pipe have all of it.`),
    )
    .action(
      run(async (words: string[], flags: AskFlags) =>
        (await import("../commands/ask.js")).ask(words, flags, io),
      ),
    );

  withAskOptions(program.command("chat"))
    .description("Asks question after question, in a terminal or from lines of stdin.")
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation chat
  $ constellation chat --to docs < questions.txt

Its questions are one thread: \`--thread\` continues an earlier one. Ctrl-C cancels a question, Ctrl-D
ends.`),
    )
    .action(run(async (flags: AskFlags) => (await import("../commands/chat.js")).chat(flags, io)));

  withAskOptions(program.command("replay"))
    .description("Prints a saved run again, or asks its question again.")
    .argument(
      "<run>",
      "output of ask --json, or a run record; with --offline, id of a journaled run",
    )
    .option("--ask", "ask the question again, now")
    .option("--offline", "run it again with what each librarian returned, without a call of one")
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation ask --json "Which pods crash?" > run.json
  $ constellation replay run.json
  $ constellation replay run.json --mermaid > run.mmd
  $ constellation replay run.json --ask
  $ constellation replay last --offline`),
    )
    .action(
      run(async (file: string, flags: ReplayFlags) =>
        (await import("../commands/replay.js")).replay(file, flags, io),
      ),
    );

  withOutput(withMesh(program.command("fork")), "one document, { response, run },")
    .description(
      "Repeats a journaled run from one hop on; all other hops keep their recorded results.",
    )
    .argument("<run>", "id of the run, or the beginning of it; last, last~1 ... from the newest")
    .requiredOption(
      "--at <hop>",
      "id of the librarian whose first hop is asked again; id~2 for its second",
      readNonBlank,
    )
    .option("--query <text>", "ask that librarian this instead", readNonBlank)
    .option("--with <librarian=module...>", "load this module for a librarian instead")
    .addOption(journal("file or Postgres address of the journal"))
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation fork last --at k8s
  $ constellation fork last --at docs --query "How do I drain a node?"
  $ constellation fork 5f0c --at docs --with docs=./docs-2.js
  $ constellation runs diff last~1 last`),
    )
    .action(
      run(async (name: string, flags: ForkFlags) =>
        (await import("../commands/fork.js")).fork(name, flags, io),
      ),
    );

  withOutput(withMesh(program.command("eval")), "the report")
    .description("Asks the questions of a file and compares the answers with the expected ones.")
    .argument("<file>", "cases as JSON lines: { id, query, expect }")
    .option("--timeout <duration>", "maximum duration of one case: 500ms, 10s, 2m", readDuration)
    .option("--concurrency <number>", "maximum number of cases at once", readCount)
    .option("--judge <rubric>", "file of points that every answer must meet, judged by the model")
    .option(
      "--saved <path>",
      "compare saved runs, a folder of ask --json or a line for each, and ask nothing",
    )
    .option(
      "--baseline <report>",
      "compare with this report of eval --json, and fail only for what got worse",
    )
    .option(
      "--tolerance <percent>",
      "how much more than the baseline tokens, cost and hops may be (default: 10 %), and times too where it is given",
      readPercent,
    )
    .option("--junit <file>", "write the report as JUnit XML too")
    .option("-q, --quiet", "show no progress")
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation eval cases.jsonl
  $ constellation eval --json cases.jsonl > main.json
  $ constellation eval --baseline main.json --junit eval.xml cases.jsonl
  $ constellation eval --saved runs cases.jsonl
  $ constellation eval --judge rubric.md cases.jsonl

A line of the file:
  {"id": "rollback", "query": "How do I roll back?", "expect": {"mustMention": ["rollout undo"]}}

Exits with 1 when a case fails; with --baseline, when a case or an amount got worse. In GitHub Actions each failed case is an
annotation at its line.`),
    )
    .action(
      run(async (file: string, flags: EvalFlags) =>
        (await import("../commands/eval.js")).evaluate(file, flags, io),
      ),
    );
}

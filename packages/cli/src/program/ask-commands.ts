import type { Command } from "commander";
import type { CommandIO } from "../command-io.js";
import type { AskFlags } from "../commands/ask.js";
import type { EvalFlags } from "../commands/eval.js";
import type { ReplayFlags } from "../commands/replay.js";
import {
  countOf,
  durationOf,
  json,
  type RunCommand,
  withAskOptions,
  withMesh,
} from "./command-options.js";
import { helpText } from "./help-text.js";

/** Adds the commands that ask a mesh: `ask`, `chat`, `replay`, `eval`. */
export function addAskCommands(program: Command, io: CommandIO, run: RunCommand): void {
  withAskOptions(program.command("ask"))
    .description("Asks a question and prints the answer with its sources.")
    .argument("<question...>", "the question; - reads it from stdin")
    .option("--trace", "send the run to an OpenTelemetry collector and print the trace id")
    .addHelpText(
      "after",
      helpText(
        io,
        `
Examples:
  $ constellation ask "How do I roll back checkout?"
  $ constellation ask --mesh incident.yaml --to k8s --timeout 10s "What is wrong in shop?"
  $ constellation ask --json "Which pods crash?" > run.json
  $ git diff | constellation ask -

Progress goes to stderr, the answer to stdout.`,
      ),
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
      helpText(
        io,
        `
Examples:
  $ constellation chat
  $ constellation chat --to docs < questions.txt

Each question carries the previous answers as metadata.conversation. Ctrl-C cancels a question,
Ctrl-D ends.`,
      ),
    )
    .action(run(async (flags: AskFlags) => (await import("../commands/chat.js")).chat(flags, io)));

  withAskOptions(program.command("replay"))
    .description("Prints a saved run again, or asks its question again.")
    .argument("<file>", "output of ask --json, or a run record")
    .option("--ask", "ask the question again, now")
    .addHelpText(
      "after",
      helpText(
        io,
        `
Examples:
  $ constellation ask --json "Which pods crash?" > run.json
  $ constellation replay run.json
  $ constellation replay run.json --mermaid > run.mmd
  $ constellation replay run.json --ask`,
      ),
    )
    .action(
      run(async (file: string, flags: ReplayFlags) =>
        (await import("../commands/replay.js")).replay(file, flags, io),
      ),
    );

  withMesh(program.command("eval"))
    .description("Asks the questions of a file and compares the answers with the expected ones.")
    .argument("<file>", "cases as JSON lines: { id, query, expect }")
    .addOption(json("print the report as JSON"))
    .option("--timeout <duration>", "maximum duration of one case: 500ms, 10s, 2m", durationOf)
    .option("--concurrency <number>", "maximum number of cases at once", countOf)
    .option("--judge <rubric>", "file of points that every answer must meet, judged by the model")
    .option("-q, --quiet", "show no progress")
    .addHelpText(
      "after",
      helpText(
        io,
        `
Examples:
  $ constellation eval cases.jsonl
  $ constellation eval --judge rubric.md cases.jsonl

A line of the file:
  {"id": "rollback", "query": "How do I roll back?", "expect": {"mustMention": ["rollout undo"]}}

Exits with 1 when a case fails.`,
      ),
    )
    .action(
      run(async (file: string, flags: EvalFlags) =>
        (await import("../commands/eval.js")).evaluate(file, flags, io),
      ),
    );
}

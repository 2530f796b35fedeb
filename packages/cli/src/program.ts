import { readFileSync } from "node:fs";
import { Command, InvalidArgumentError, Option } from "commander";
import type { CommandIO } from "./command-io.js";
import type { AskFlags } from "./commands/ask.js";
import type { CheckFlags } from "./commands/check.js";
import type { ListFlags } from "./commands/list.js";
import { parseDuration } from "./duration.js";

/**
 * The commands, with their options and help. What a command does is imported when it is run, so that
 * help and completion start fast.
 *
 * @param ended - Told the exit code of the command that was run.
 */
export function createProgram(io: CommandIO, ended: (exitCode: number) => void): Command {
  const program = new Command("constellation");
  program
    .description("Asks, checks, serves and tests a mesh of librarians.")
    .version(versionOf(), "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand("help [command]", "print help for a command")
    .showHelpAfterError("(constellation --help says more)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHelpWidth: () => io.stdout.columns ?? 100,
      getErrHelpWidth: () => io.stderr.columns ?? 100,
    })
    .addHelpText(
      "after",
      `
Examples:
  $ constellation init                          make a mesh to try
  $ constellation ask "Why is checkout down?"   ask it
  $ constellation check                         find what is wrong with it before anybody asks

Exit codes: 0 an answer, 1 none or a problem found, 2 wrong usage or configuration, 130 Ctrl-C.`,
    );
  const run =
    <Args extends readonly unknown[]>(action: (...args: Args) => Promise<number>) =>
    async (...args: Args): Promise<void> =>
      ended(await action(...args));

  withAskOptions(program.command("ask"))
    .description("Asks a question and prints the answer with its sources.")
    .argument("<question...>", "the question; - reads it from stdin")
    .option("--trace", "send the run to an OpenTelemetry collector and print the trace id")
    .addHelpText(
      "after",
      `
Examples:
  $ constellation ask "How do I roll back checkout?"
  $ constellation ask --mesh incident.yaml --to k8s --timeout 10s "What is wrong in shop?"
  $ constellation ask --json "Which pods crash?" > run.json
  $ git diff | constellation ask -

Progress goes to stderr, the answer to stdout.`,
    )
    .action(
      run(async (words: string[], flags: AskFlags) =>
        (await import("./commands/ask.js")).ask(words, flags, io),
      ),
    );

  withMesh(program.command("check"))
    .description("Finds cycles, unknown targets, chains too long and librarians nobody can reach.")
    .addOption(json().conflicts("mermaid"))
    .addOption(mermaid("print who may delegate to whom as a Mermaid flowchart"))
    .addHelpText(
      "after",
      `
Examples:
  $ constellation check
  $ constellation check --mermaid > mesh.mmd

Exits with 1 when there is a problem.`,
    )
    .action(
      run(async (flags: CheckFlags) => (await import("./commands/check.js")).check(flags, io)),
    );

  withMesh(program.command("list"))
    .description("Lists who can be asked, and what about.")
    .addOption(json())
    .action(run(async (flags: ListFlags) => (await import("./commands/list.js")).list(flags, io)));

  return program;
}

function withMesh(command: Command): Command {
  return command.option(
    "-m, --mesh <file>",
    "mesh file or module (default: constellation.yaml, mesh.yaml or constellation.js here)",
  );
}

function withAskOptions(command: Command): Command {
  return withMesh(command)
    .option("-t, --to <id>", "ask this librarian, not the entry of the mesh")
    .option("--timeout <duration>", "time for the whole run: 500ms, 10s, 2m", durationOf)
    .option("--user <id>", "who is asking")
    .addOption(json("print one JSON document, { response, run }").conflicts(["mermaid", "tree"]))
    .addOption(mermaid("print the run as a Mermaid flowchart").conflicts("tree"))
    .option("--tree", "print the tree of hops too (always on a terminal)")
    .option("-q, --quiet", "show no progress");
}

function json(description = "print JSON"): Option {
  return new Option("--json", description);
}

function mermaid(description: string): Option {
  return new Option("--mermaid", description);
}

function durationOf(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError("Expected a time such as 500ms, 10s or 2m.");
  return ms;
}

function versionOf(): string {
  const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

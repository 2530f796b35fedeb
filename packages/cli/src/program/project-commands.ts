import { didYouMean } from "@constellation/core/checks";
import { Argument, type Command, Option } from "commander";
import type { CommandIO } from "../command-io.js";
import type { Shell } from "../commands/completion.js";
import type { IngestFlags } from "../commands/ingest.js";
import type { InitFlags } from "../commands/init.js";
import { ConfigurationError } from "../configuration-error.js";
import { type RunCommand, withOutput } from "./command-options.js";
import { createHelpText } from "./help-text.js";

/** Adds `ingest`, `init`, `help` and `completion`. */
export function addProjectCommands(program: Command, io: CommandIO, run: RunCommand): void {
  const help = createHelpText(io);
  withOutput(program.command("ingest"), "the report")
    .description("Adds Markdown, CSV and JSON to the store of a rag-advisory librarian.")
    .argument("<path...>", "files and folders")
    .option("--store <folder>", "folder of the store (default: CONSTELLATION_STORE)")
    .option("--country <code>", "country of documents without one: IN, US or UK")
    .option("--city <name>", "city of documents without one")
    .option("--source <text>", "source to cite for documents without one")
    .option("--source-type <type>", "kind of that source")
    .option("--date <date>", "date of documents without one, as in 2026-01-31")
    .option("--url <url>", "address of documents without one")
    .option("--create-table", "create the table of a Postgres server if it is missing")
    .option("--root <folder>", "folder that document names are relative to (default: this one)")
    .option("-q, --quiet", "show no progress")
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation ingest --store data/market --country IN market/*.csv notes/
  $ CONSTELLATION_STORE=postgres://ann:...@db/market constellation ingest market/

Ingesting the same documents again adds nothing. Exits with 1 when some cannot be read.`),
    )
    .action(
      run(async (paths: string[], flags: IngestFlags) =>
        (await import("../commands/ingest.js")).ingest(paths, flags, io),
      ),
    );

  program
    .command("init")
    .description("Creates a new mesh, or a new librarian package, with tests that pass.")
    .addArgument(
      new Argument("[what]", "what to create, or the folder of a new mesh (default: mesh)")
        .choices(["mesh", "librarian"])
        .argParser((what) => what), // any other word is a folder
    )
    .argument("[folder]", "target folder; for a mesh, this one by default")
    .addOption(
      new Option("--language <name>", "TypeScript or JavaScript (default: ts)").choices([
        "ts",
        "js",
      ]),
    )
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation init
  $ constellation init help-desk
  $ constellation init librarian contacts

It never overwrites a file.`),
    )
    .action(
      run(async (what: string | undefined, folder: string | undefined, flags: InitFlags) =>
        (await import("../commands/init.js")).init(what, folder, flags, io),
      ),
    );

  program
    .command("help")
    .description("Prints help for a command.")
    .argument("[command]", "the command")
    .action((name: string | undefined) => {
      if (name === undefined) return program.outputHelp();
      const names = program.commands.map((command) => command.name());
      const command = program.commands[names.indexOf(name)];
      if (command === undefined) {
        throw new ConfigurationError(
          `Unknown command "${name}".${didYouMean(name, names)} Valid commands: ${names.join(", ")}.`,
        );
      }
      command.outputHelp();
    });

  program
    .command("completion")
    .description("Prints a script that completes commands and options in a shell.")
    .addArgument(
      new Argument("<shell>", "the shell").choices(["bash", "zsh", "fish", "powershell"]),
    )
    .addHelpText(
      "after",
      help(`
Examples:
  $ source <(constellation completion bash)
  $ constellation completion fish > ~/.config/fish/completions/constellation.fish
  PS> constellation completion powershell | Out-String | Invoke-Expression`),
    )
    .action(
      run(async (shell: Shell) =>
        (await import("../commands/completion.js")).completion(shell, program, io),
      ),
    );
}

import { didYouMean, releaseVersion } from "@constellation/core/checks";
import { Command } from "commander";
import type { CommandIO } from "./command-io.js";
import { addAskCommands } from "./program/ask-commands.js";
import type { RunCommand } from "./program/command-options.js";
import { createHelpText, helpWidth } from "./program/help-text.js";
import { addJournalCommands } from "./program/journal-commands.js";
import { addMeshCommands } from "./program/mesh-commands.js";
import { addProjectCommands } from "./program/project-commands.js";

/**
 * The commands, with their options and help. The implementation of a command is imported when it runs,
 * so that help and completion start fast.
 *
 * @param ended - Called with the exit code of the command that ran.
 */
export function createProgram(io: CommandIO, ended: (exitCode: number) => void): Command {
  const help = createHelpText(io);
  const program = new Command("constellation");
  program
    .description("Asks, checks, serves and tests a mesh of librarians.")
    .version(releaseVersion, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .showHelpAfterError("(see constellation --help)")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => write(rephrased(text)),
      getOutHelpWidth: () => helpWidth(io.stdout),
      getErrHelpWidth: () => helpWidth(io.stderr),
    })
    .addHelpText(
      "after",
      help(`
Examples:
  $ constellation init                          create a mesh to try
  $ constellation ask "Why is checkout down?"   ask it
  $ constellation check                         find its problems before the first question

Exit codes: 0 answer, 1 no answer or a problem found, 2 wrong usage or configuration, 130 Ctrl-C.`),
    );
  const run: RunCommand =
    (action) =>
    async (...args) =>
      ended(await action(...args));

  addAskCommands(program, io, run);
  addMeshCommands(program, io, run);
  addJournalCommands(program, io, run);
  addProjectCommands(program, io, run);
  for (const command of program.commands) {
    command.showHelpAfterError(`(see constellation ${command.name()} --help)`);
  }
  return program;
}

const refusal = "error: command-argument value '";
const reason = "' is invalid for argument '";
const listing = "'. Allowed choices are ";

/** Commander's message about an argument outside its choices, in our words. Any other message is unchanged. */
function rephrased(text: string): string {
  const message = text.trimEnd();
  const listed = message.lastIndexOf(listing);
  const named = message.lastIndexOf(reason, listed);
  if (!message.startsWith(refusal) || named < 0 || listed < 0) return text;
  const word = message.slice(refusal.length, named);
  const name = message.slice(named + reason.length, listed);
  const choices = message.slice(listed + listing.length, -1); // without the full stop
  return `error: Unknown ${name} "${word}".${didYouMean(word, choices.split(", "))} Valid: ${choices}.\n`;
}

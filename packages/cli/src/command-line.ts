import { sanitizeText } from "@constellation/authoring";
import { CommanderError } from "commander";
import { type CommandIO, exitCodes } from "./command-io.js";
import { ConfigurationError } from "./configuration-error.js";
import { createProgram } from "./program.js";
import { paintFor } from "./terminal/paint.js";

/**
 * Runs the command `constellation`.
 *
 * @param argv - The arguments after its name.
 * @returns Its exit code: 0 an answer, 1 none or a problem found, 2 wrong usage or configuration, 130
 *   when `io.signal` aborted. Never rejects.
 */
export async function main(argv: readonly string[], io: CommandIO): Promise<number> {
  let exitCode: number = exitCodes.answered;
  const program = createProgram(io, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      return thrown.exitCode === 0 ? exitCodes.answered : exitCodes.usage;
    }
    if (io.signal.aborted) return exitCodes.interrupted;
    return printError(thrown, io);
  }
}

function printError(thrown: unknown, { stderr, env }: CommandIO): number {
  const paint = paintFor(stderr, env);
  if (thrown instanceof ConfigurationError) {
    stderr.write(`${paint("red", "error:")} ${sanitizeText(thrown.message)}\n`);
    return exitCodes.usage;
  }
  const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  stderr.write(
    `${paint("red", "error:")} unexpected failure. Please report it.\n${sanitizeText(text)}\n`,
  );
  return exitCodes.usage;
}

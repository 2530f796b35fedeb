import { type CommandIO, main } from "@constellation/cli";

/**
 * `npm create @constellation`: as `constellation init`.
 *
 * @param argv - What follows the command: `["librarian", "contacts"]`, `["help-desk"]`, or nothing.
 * @returns The exit code: 0, or 2 for a wrong use.
 */
export function create(argv: readonly string[], io: CommandIO): Promise<number> {
  return main(["init", ...argv], io);
}

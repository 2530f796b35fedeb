import { type CommandIO, main } from "@constellation/cli";

/** What can be created; another word is the folder of a mesh. */
const kinds: ReadonlySet<string> = new Set(["mesh", "librarian"]);

/**
 * `npm create @constellation`: as `constellation init`, where the folder alone makes a mesh.
 *
 * @param argv - What follows the command: `["librarian", "contacts"]`, `["help-desk"]`, or nothing.
 * @returns The exit code: 0, or 2 for a wrong use.
 */
export function create(argv: readonly string[], io: CommandIO): Promise<number> {
  const [first] = argv;
  const isFolder = first !== undefined && !kinds.has(first) && !first.startsWith("-");
  return main(["init", ...(isFolder ? ["mesh"] : []), ...argv], io);
}

import { createInterface } from "node:readline";
import { type CommandIO, main } from "@constellation/cli";

/**
 * `npm create @constellation`: as `constellation init`. On a terminal, with nothing given, it asks what to make.
 *
 * @param argv - What follows the command: `["librarian", "contacts"]`, `["help-desk"]`, or nothing.
 * @returns The exit code: 0, or 2 for a wrong use.
 */
export async function create(argv: readonly string[], io: CommandIO): Promise<number> {
  const isAsked = argv.length === 0 && io.stdin.isTTY === true && io.stdout.isTTY === true;
  return main(["init", ...(isAsked ? await askWhat(io) : argv)], io);
}

/** Asks for the kind of project, its folder and its language. An empty answer, or the end of input, is the default. */
async function askWhat({ stdin, stdout }: CommandIO): Promise<readonly string[]> {
  const lines = createInterface({ input: stdin, terminal: false });
  const next = lines[Symbol.asyncIterator]();
  const ask = async (question: string, usual: string) => {
    stdout.write(`${question} (${usual}) `);
    const { value, done } = await next.next();
    return (done === true ? "" : value.trim()) || usual;
  };
  try {
    const kind = await ask("What to make: mesh or librarian?", "mesh");
    const folder = await ask(
      "In which folder?",
      kind === "librarian" ? "my-librarian" : "help-desk",
    );
    const language = await ask("In which language: ts or js?", "ts");
    return [kind, folder, "--language", language];
  } finally {
    lines.close();
  }
}

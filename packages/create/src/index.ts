import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type CommandIO, main } from "@constellation/cli";

/**
 * `npm create @constellation`: as `constellation init`. On a terminal, with nothing given, it asks what to create;
 * there it also asks before it adds to a folder that is not empty. No file is ever written over.
 *
 * @param argv - What follows the command: `["librarian", "contacts"]`, `["help-desk"]`, or nothing.
 * @returns The exit code: 0, or 2 for wrong usage.
 */
export async function create(argv: readonly string[], io: CommandIO): Promise<number> {
  if (io.stdin.isTTY !== true || io.stdout.isTTY !== true) return main(["init", ...argv], io);
  const lines = createInterface({ input: io.stdin, terminal: false });
  const next = lines[Symbol.asyncIterator]();
  /** An empty answer, or the end of input, is the default. */
  const ask = async (question: string, usual: string) => {
    io.stdout.write(`${question} (${usual}) `);
    const { value, done } = await next.next();
    return (done === true ? "" : value.trim()) || usual;
  };
  try {
    const chosen = argv.length === 0 ? await askWhat(ask) : argv;
    const folder = folderOf(chosen);
    if (await isFilled(resolve(io.cwd, folder))) {
      const answer = await ask(`${folder} is not empty. Add the files to it: yes or no?`, "no");
      if (!/^y(?:es)?$/i.test(answer)) {
        io.stdout.write("Nothing was made. Name another folder.\n");
        return 2;
      }
    }
    return await main(["init", ...chosen], io);
  } finally {
    lines.close();
  }
}

type Ask = (question: string, usual: string) => Promise<string>;

/** Asks for the kind of project, its folder and its language. */
async function askWhat(ask: Ask): Promise<readonly string[]> {
  const kind = await ask("What to make: mesh or librarian?", "mesh");
  const folder = await ask("In which folder?", kind === "librarian" ? "my-librarian" : "help-desk");
  const language = await ask("In which language: ts or js?", "ts");
  return [kind, folder, "--language", language];
}

/** The folder that arguments of `init` name; the current one where they name none. */
function folderOf(argv: readonly string[]): string {
  const { positionals } = parseArgs({
    args: [...argv],
    options: { language: { type: "string" } },
    strict: false,
    allowPositionals: true,
  });
  const [what = ".", folder] = positionals;
  return folder ?? (what === "mesh" || what === "librarian" ? "." : what);
}

/** Whether a folder has something in it beside the files of Git. */
async function isFilled(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => []); // it is not there yet
  return entries.some((entry) => !entry.startsWith(".git"));
}

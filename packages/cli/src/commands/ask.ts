import { type AskAndPrintOptions, askAndPrint } from "../ask-and-print.js";
import type { CommandIO } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { didYouMean } from "../nearest.js";
import { closeMesh, openMesh } from "../open-mesh.js";
import { startTracing } from "../tracing.js";

/** Options of `ask`, as the command line has them. */
export interface AskFlags {
  readonly mesh?: string;
  readonly to?: string;
  readonly timeout?: number;
  readonly user?: string;
  readonly json?: true;
  readonly mermaid?: true;
  readonly tree?: true;
  readonly trace?: true;
  readonly debug?: true;
  readonly quiet?: true;
}

/** `constellation ask`: one question, one answer. */
export async function ask(
  words: readonly string[],
  flags: AskFlags,
  io: CommandIO,
): Promise<number> {
  const query = await queryOf(words, io);
  const mesh = await openMesh(flags.mesh, io, { debug: flags.debug });
  try {
    requireLibrarian(flags.to, mesh);
    const tracing = await startTracing(mesh, io, {
      name: "constellation ask",
      trace: flags.trace === true,
    });
    try {
      const { exitCode } = await tracing.within(() =>
        askAndPrint(mesh.router, query, io, askOptionsOf(flags)),
      );
      return exitCode;
    } finally {
      await tracing.close();
    }
  } finally {
    await closeMesh(mesh);
  }
}

/** What the flags mean for one question. */
export function askOptionsOf({
  to,
  timeout,
  user,
  json,
  mermaid,
  tree,
  debug,
  quiet,
}: AskFlags): AskAndPrintOptions {
  const format = json === true ? "json" : mermaid === true ? "mermaid" : "text";
  return { to, timeoutMs: timeout, user, format, tree, debug, quiet };
}

/** @throws ConfigurationError for an unknown id. */
export function requireLibrarian(to: string | undefined, { router }: Mesh): void {
  if (to === undefined) return;
  const ids = router.list().map(({ id }) => id);
  if (ids.includes(to)) return;
  const known =
    ids.length > 20 ? "`constellation list` shows them all." : `Registered: ${ids.join(", ")}.`;
  throw new ConfigurationError(
    `--to: the librarian "${to}" was not found.${didYouMean(to, ids)} ${known}`,
  );
}

const maxQueryLength = 1_000_000;

/** The words of the command line; for `-`, the text on stdin. */
async function queryOf(words: readonly string[], { stdin }: CommandIO): Promise<string> {
  const query = words.length === 1 && words[0] === "-" ? await readAll(stdin) : words.join(" ");
  if (query.trim() === "") {
    throw new ConfigurationError('The question is empty. Try: constellation ask "What is wrong?"');
  }
  return query;
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  stream.setEncoding("utf8");
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    if (text.length > maxQueryLength) {
      throw new ConfigurationError(
        `The question is longer than ${maxQueryLength.toLocaleString("en")} characters.`,
      );
    }
  }
  return text.trim();
}

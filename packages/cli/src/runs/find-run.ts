import type { Journal, StoredRun } from "@constellation/journal";
import { type KeptRun, readStoredRuns, type StoredRuns } from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { openJournal } from "../mesh/open-journal.js";

/** Maximum number of items that an id is searched in. */
export const maxSearched = 10_000;

/**
 * Finds a run or a thread by its id, the beginning of it, `last`, or `last~2` for the third last.
 *
 * @param all - Newest first.
 * @returns `undefined` when nothing matches.
 * @throws ConfigurationError where several begin with it.
 */
export async function findNamed<Item>(
  all: AsyncIterable<Item> | Iterable<Item>,
  idOf: (item: Item) => string,
  name: string,
  noun: "run" | "thread",
): Promise<Item | undefined> {
  const [last, back = "0"] = /^last(?:~(\d{1,4}))?$/.exec(name) ?? [];
  const found: Item[] = [];
  let index = 0;
  for await (const item of all) {
    const id = idOf(item);
    if (last === undefined ? id === name : index === Number(back)) return item;
    if (++index > maxSearched) break;
    if (last === undefined && id.startsWith(name)) found.push(item);
  }
  if (found.length < 2) return found[0];
  const ids = found.slice(0, 2).map(idOf).join(", ");
  throw new ConfigurationError(
    `Several ${noun}s begin with "${name.slice(0, 80)}": ${ids}. Give more of the id.`,
  );
}

/** Reads the runs in the journal of a command. @throws ConfigurationError if it is missing, or cannot be opened. */
export async function withRuns<Result>(
  place: string | undefined,
  io: Pick<CommandIO, "cwd" | "env">,
  read: (runs: StoredRuns) => Promise<Result>,
): Promise<Result> {
  const journal = await openJournal({ journal: place }, io);
  try {
    return await read(readStoredRuns(journal.store));
  } finally {
    await journal.close();
  }
}

/** Finds a stored run as {@link findNamed} does. @throws ConfigurationError if no run matches, or several do. */
export async function findRun(runs: StoredRuns, name: string): Promise<KeptRun> {
  const found = await findNamed(runs.summaries(), ({ runId }) => runId, name, "run");
  const run = found && (await runs.get(found.runId));
  if (run !== undefined) return run;
  throw new ConfigurationError(
    `Run "${name.slice(0, 80)}" not found. \`constellation runs list\` shows their ids; \`last\` is the newest.`,
  );
}

/** Finds a journaled run as {@link findNamed} does. @throws ConfigurationError if no run matches, or several do. */
export async function findJournaled(journal: Journal, name: string): Promise<StoredRun> {
  const runs = await journal.runs({ limit: maxSearched });
  const run = await findNamed(runs, ({ id }) => id, name, "run");
  if (run !== undefined) return run;
  throw new ConfigurationError(`Run "${name.slice(0, 80)}" is not in the journal.`);
}

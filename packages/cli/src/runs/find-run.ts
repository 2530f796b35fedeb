import {
  type KeptRun,
  type RunSummary,
  readStoredRuns,
  type StoredRuns,
} from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { journalPlace, openJournalStore } from "../mesh/create-journal.js";

/** Maximum number of runs that an id is looked for in. */
const maxSearched = 10_000;

/**
 * Reads the runs in a journal: the named one, else that of the environment, else the default.
 *
 * @throws ConfigurationError if it is missing, or cannot be opened.
 */
export async function withRuns<Result>(
  journal: string | undefined,
  { cwd, env }: Pick<CommandIO, "cwd" | "env">,
  read: (runs: StoredRuns) => Promise<Result>,
): Promise<Result> {
  const store = await openJournalStore(journalPlace(journal, env), cwd);
  try {
    return await read(readStoredRuns(store));
  } finally {
    await store.close();
  }
}

/**
 * Finds a run by its id, the beginning of it, `last`, or `last~2` for the third last.
 *
 * @throws ConfigurationError if no run matches, or several do.
 */
export async function findRun(runs: StoredRuns, name: string): Promise<KeptRun> {
  const [, back] = /^last(?:~(\d{1,4}))?$/.exec(name) ?? [];
  const isLast = name === "last" || back !== undefined;
  const found = isLast ? await findNthRun(runs, Number(back ?? 0)) : await startingWith(runs, name);
  const run = found === undefined ? undefined : await runs.get(found.runId);
  if (run === undefined) {
    throw new ConfigurationError(
      `Run "${name.slice(0, 80)}" not found. \`constellation runs list\` shows their ids; \`last\` is the newest.`,
    );
  }
  return run;
}

async function findNthRun(runs: StoredRuns, back: number): Promise<RunSummary | undefined> {
  let index = 0;
  for await (const run of runs.summaries()) if (index++ === back) return run;
  return undefined;
}

async function startingWith(runs: StoredRuns, name: string): Promise<RunSummary | undefined> {
  let found: RunSummary | undefined;
  let searched = 0;
  for await (const run of runs.summaries()) {
    if (run.runId === name) return run;
    if (++searched > maxSearched) break;
    if (!run.runId.startsWith(name)) continue;
    if (found !== undefined) {
      throw new ConfigurationError(
        `Several runs begin with "${name.slice(0, 80)}": ${found.runId}, ${run.runId}. Give more of the id.`,
      );
    }
    found = run;
  }
  return found;
}

import type { Journal, StoredRun } from "@constellation/journal";
import { ConfigurationError } from "../configuration-error.js";

/** Maximum number of runs that an id is looked for in. */
const maxSearched = 10_000;

/**
 * Finds a journaled run by its id, the beginning of it, `last`, or `last~2` for the third last.
 *
 * @throws ConfigurationError if no run matches, or several do.
 */
export async function findJournaled(journal: Journal, name: string): Promise<StoredRun> {
  const runs = await journal.runs({ limit: maxSearched });
  const [, back = "0"] = /^last(?:~(\d{1,4}))?$/.exec(name) ?? [];
  const matching = name.startsWith("last")
    ? runs.slice(Number(back), Number(back) + 1)
    : runs.filter(({ id }) => id.startsWith(name));
  const [run] = matching;
  if (run !== undefined && matching.length === 1) return run;
  const shown = name.slice(0, 80);
  throw new ConfigurationError(
    run === undefined
      ? `Run "${shown}" is not in the journal.`
      : `Several runs begin with "${shown}". Give more of the id.`,
  );
}

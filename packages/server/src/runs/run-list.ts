import type { RunSummary } from "./kept-run.js";
import type { StoredRuns } from "./stored-runs.js";

/** A page request for a list of runs. */
export interface RunFilter {
  /** Maximum number of runs. */
  readonly limit: number;
  /** Id of the last run of the page before. */
  readonly before?: string | undefined;
  /** Whether a run belongs in the list. */
  readonly matches?: ((run: RunSummary) => boolean) | undefined;
  /** Where the list ends: at the first run, newest first, for which it is true. */
  readonly until?: ((run: RunSummary) => boolean) | undefined;
}

/** A page of runs. */
export interface RunPage {
  /** Newest first. */
  readonly runs: readonly RunSummary[];
  /** Whether there may be older ones. */
  readonly hasMore: boolean;
}

/** Maximum number of runs that one request reads. */
const maxLookedAt = 5_000;

/**
 * One page of the runs in memory and in a journal, each once, newest first.
 *
 * @param recent - Those in memory, newest first.
 */
export async function readPage(
  recent: readonly RunSummary[],
  stored: StoredRuns | undefined,
  { limit, before, matches = () => true, until = () => false }: RunFilter,
): Promise<RunPage> {
  const seen = new Set(recent.map(({ runId }) => runId));
  const runs: RunSummary[] = [];
  let isSkipping = before !== undefined;
  let lookedAt = 0;
  for await (const run of newestFirst(recent, stored, seen)) {
    if (isSkipping) {
      isSkipping = run.runId !== before;
      continue;
    }
    if (until(run)) break;
    if (++lookedAt > maxLookedAt) return { runs, hasMore: true };
    if (!matches(run)) continue;
    if (runs.length >= limit) return { runs, hasMore: true };
    runs.push(run);
  }
  return { runs, hasMore: false };
}

/** Merges two sorted lists. */
async function* newestFirst(
  recent: readonly RunSummary[],
  stored: StoredRuns | undefined,
  seen: ReadonlySet<string>,
): AsyncGenerator<RunSummary> {
  let next = 0;
  if (stored !== undefined) {
    for await (const older of stored.summaries()) {
      if (seen.has(older.runId)) continue;
      for (let run = recent[next]; run && run.startedAt >= older.startedAt; run = recent[next]) {
        next++;
        yield run;
      }
      yield older;
    }
  }
  yield* recent.slice(next);
}

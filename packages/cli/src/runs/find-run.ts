import { resolve } from "node:path";
import {
  type KeptRun,
  type RunFolder,
  type RunSummary,
  readRunFolder,
} from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";

/** Folder of runs where none is named. */
export const defaultRunsFolder = ".constellation/runs";

/** Maximum number of runs that an id is looked for in. */
const maxSearched = 10_000;

/**
 * Opens the folder that holds stored runs: the one named, else that of the environment, else the default.
 *
 * @throws ConfigurationError where there is none.
 */
export async function openRuns(
  folder: string | undefined,
  { cwd, env }: Pick<CommandIO, "cwd" | "env">,
): Promise<RunFolder> {
  const named = folder ?? env.CONSTELLATION_RUNS ?? defaultRunsFolder;
  try {
    return await readRunFolder(resolve(cwd, named));
  } catch {
    const what =
      named === defaultRunsFolder
        ? `No runs are stored here (${named})`
        : `${named}: folder not found`;
    throw new ConfigurationError(
      `${what}. \`constellation dev\` and \`constellation serve --runs FOLDER\` store runs; \`--runs FOLDER\` names another folder.`,
    );
  }
}

/**
 * Finds a run by its id, the beginning of it, `last`, or `last~2` for the third last.
 *
 * @throws ConfigurationError where there is none, or several begin like that.
 */
export async function findRun(runs: RunFolder, name: string): Promise<KeptRun> {
  const [, back] = /^last(?:~(\d{1,4}))?$/.exec(name) ?? [];
  const isLast = name === "last" || back !== undefined;
  const found = isLast ? await nthOf(runs, Number(back ?? 0)) : await startingWith(runs, name);
  const run = found === undefined ? undefined : await runs.get(found.runId);
  if (run === undefined) {
    throw new ConfigurationError(
      `Run "${name.slice(0, 80)}" not found. \`constellation runs list\` shows their ids; \`last\` is the newest.`,
    );
  }
  return run;
}

async function nthOf(runs: RunFolder, back: number): Promise<RunSummary | undefined> {
  let index = 0;
  for await (const run of runs.summaries()) if (index++ === back) return run;
  return undefined;
}

async function startingWith(runs: RunFolder, name: string): Promise<RunSummary | undefined> {
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

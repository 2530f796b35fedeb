import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { MeshError } from "@constellation/core";
import { replayRun, type SavedRun } from "@constellation/journal";
import { z } from "zod";
import { askAndPrint, printOutcome } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { asConfigurationError, ConfigurationError, noJournal } from "../configuration-error.js";
import { journalIn } from "../mesh/create-journal.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { withOpenMesh } from "../open-mesh.js";
import { readTextFile } from "../read-text-file.js";
import { readRunFile } from "../run-file.js";
import { findJournaled } from "../runs/find-run.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";
import { type AskFlags, requireLibrarian, toAskOptions } from "./ask.js";

/** Command-line options of `replay`. */
export interface ReplayFlags extends AskFlags {
  readonly ask?: true;
  readonly offline?: true;
}

/** `constellation replay`: a saved run, printed again or asked again. */
export async function replay(file: string, flags: ReplayFlags, io: CommandIO): Promise<number> {
  if (flags.offline === true) return replayOffline(file, flags, io);
  const { run, response } = await readRunFile(resolve(io.cwd, file), file);
  const options = { ...toAskOptions(flags), tree: true };
  if (flags.ask !== true) {
    const saved = response ?? { error: run.error };
    await printOutcome(saved, run, io, options);
    return saved.error === undefined || response?.answer !== undefined
      ? exitCodes.answered
      : exitCodes.failed;
  }
  const { journal } = flags;
  return withOpenMesh(flags.mesh, io, { journal }, async (mesh) => {
    const to = flags.to ?? run.to;
    requireLibrarian(to, mesh);
    const { exitCode } = await askAndPrint(mesh.router, run.query, io, { ...options, to });
    return exitCode;
  });
}

/** Runs a journaled run again, with what each librarian returned then. */
async function replayOffline(name: string, flags: ReplayFlags, io: CommandIO): Promise<number> {
  const options = { journal: flags.journal, defaultJournal: journalIn(io.env) };
  const work = async (mesh: Mesh): Promise<number> => {
    const found = (await readReplayable(name, io)) ?? (await saved(mesh, name));
    const run = replayRun(mesh.router, found);
    const response = await run.response;
    await printOutcome(response, run.explain(), io, { ...toAskOptions(flags), tree: true });
    return response.answer === undefined ? exitCodes.failed : exitCodes.answered;
  };
  return withOpenMesh(flags.mesh, io, options, (mesh) =>
    asConfigurationError(() => work(mesh), sanitizeLine, MeshError),
  );
}

async function saved({ journal }: Mesh, name: string): Promise<SavedRun> {
  if (journal === undefined) throw noJournal();
  const { id } = await findJournaled(journal, name);
  return journal.save(id);
}

/** @returns `undefined` for a file that does not exist: then it is the id of a run in the journal. */
async function readReplayable(name: string, { cwd }: CommandIO): Promise<SavedRun | undefined> {
  const path = resolve(cwd, name);
  if (!existsSync(path)) return undefined;
  try {
    const { data } = replayableSchema.safeParse(
      JSON.parse(await readTextFile({ path, shown: name, maxBytes })),
    );
    if (data !== undefined) return data as unknown as SavedRun; // what `journal.save` returned
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  throw new ConfigurationError(
    `${name}: expected what \`constellation runs export --replayable\` prints.`,
  );
}

const maxBytes = 64 * 1_048_576;

const replayableSchema = z.looseObject({
  version: z.literal(1),
  id: z.string(),
  request: z.looseObject({ query: z.string(), to: z.string() }),
  response: z.looseObject({}),
  entries: z.array(z.looseObject({ key: z.string(), body: z.string() })),
});

import { resolve } from "node:path";
import { MeshError } from "@constellation/core";
import { replayRun } from "@constellation/journal";
import { askAndPrint, printOutcome } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { defaultJournal } from "../mesh/create-journal.js";
import { closeMesh, openMesh } from "../open-mesh.js";
import { readRunFile } from "../run-file.js";
import { findJournaled } from "../runs/find-journaled.js";
import { type AskFlags, requireLibrarian, toAskOptions } from "./ask.js";

/** Options of `replay`, as the command line has them. */
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
  const mesh = await openMesh(flags.mesh, io, { journal: flags.journal });
  try {
    const to = flags.to ?? run.to;
    requireLibrarian(to, mesh);
    const { exitCode } = await askAndPrint(mesh.router, run.query, io, { ...options, to });
    return exitCode;
  } finally {
    await closeMesh(mesh);
  }
}

/** Runs a journaled run again, with what each librarian returned then. */
async function replayOffline(name: string, flags: ReplayFlags, io: CommandIO): Promise<number> {
  const mesh = await openMesh(flags.mesh, io, {
    journal: flags.journal,
    defaultJournal: io.env.CONSTELLATION_JOURNAL ?? defaultJournal,
  });
  try {
    const { journal, router } = mesh;
    if (journal === undefined) throw new ConfigurationError("The mesh has no journal.");
    const { id } = await findJournaled(journal, name);
    const run = replayRun(router, await journal.save(id));
    const response = await run.response;
    await printOutcome(response, run.explain(), io, { ...toAskOptions(flags), tree: true });
    return response.answer === undefined ? exitCodes.failed : exitCodes.answered;
  } catch (thrown) {
    if (!(thrown instanceof MeshError)) throw thrown;
    throw new ConfigurationError(thrown.message, { cause: thrown });
  } finally {
    await closeMesh(mesh);
  }
}

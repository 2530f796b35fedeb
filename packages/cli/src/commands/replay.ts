import { resolve } from "node:path";
import { askAndPrint, printOutcome } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { closeMesh, openMesh } from "../open-mesh.js";
import { readRunFile } from "../run-file.js";
import { type AskFlags, askOptionsOf, requireLibrarian } from "./ask.js";

/** Options of `replay`, as the command line has them. */
export interface ReplayFlags extends AskFlags {
  readonly ask?: true;
}

/** `constellation replay`: a saved run, printed again or asked again. */
export async function replay(file: string, flags: ReplayFlags, io: CommandIO): Promise<number> {
  const { run, response } = await readRunFile(resolve(io.cwd, file), file);
  const options = { ...askOptionsOf(flags), tree: true };
  if (flags.ask !== true) {
    const saved = response ?? { error: run.error };
    printOutcome(saved, run, io, options);
    return saved.error === undefined || response?.answer !== undefined
      ? exitCodes.answered
      : exitCodes.failed;
  }
  const mesh = await openMesh(flags.mesh, io);
  try {
    const to = flags.to ?? run.to;
    requireLibrarian(to, mesh);
    const { exitCode } = await askAndPrint(mesh.router, run.query, io, { ...options, to });
    return exitCode;
  } finally {
    await closeMesh(mesh);
  }
}

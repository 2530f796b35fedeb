import { type ContinuedRun, MeshError, type Run } from "@constellation/core";
import { printOutcome } from "../ask-and-print.js";
import { type CommandIO, exitCodes } from "../command-io.js";
import { asConfigurationError, ConfigurationError, noJournal } from "../configuration-error.js";
import { journalIn } from "../mesh/create-journal.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { withOpenMesh } from "../open-mesh.js";
import { findJournaled } from "../runs/find-run.js";
import { storeRun } from "../runs/store-run.js";
import type { OutputFormat } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Command-line options of `fork`. */
export interface ForkFlags {
  readonly mesh?: string;
  readonly journal?: string;
  readonly at: string;
  readonly query?: string;
  readonly with?: readonly string[];
  readonly output: OutputFormat;
}

/** `constellation fork`: a journaled run asked again from one hop on, perhaps with other librarians. */
export async function fork(name: string, flags: ForkFlags, io: CommandIO): Promise<number> {
  const options = {
    journal: flags.journal,
    defaultJournal: journalIn(io.env),
    replacements: readReplacements(flags.with ?? []),
  };
  const work = async (mesh: Mesh): Promise<number> => {
    const { journal } = mesh;
    if (journal === undefined) throw noJournal();
    const { id } = await findJournaled(journal, name);
    const run = await journal.fork(id, flags.at, { query: flags.query });
    const response = await run.response;
    if (isRun(run)) {
      const record = run.explain();
      await printOutcome(response, record, io, { format: flags.output, tree: true });
      await storeRun(mesh, { record, response }, io);
    }
    io.stderr.write(`Fork ${run.id} of ${id}. Compare: constellation runs diff ${id} ${run.id}\n`);
    return response.answer === undefined ? exitCodes.failed : exitCodes.answered;
  };
  return withOpenMesh(flags.mesh, io, options, (mesh) =>
    asConfigurationError(() => work(mesh), sanitizeLine, MeshError),
  );
}

/** A run that this process continues is one of its router. */
function isRun(run: ContinuedRun): run is Run {
  return "explain" in run;
}

/** @throws ConfigurationError for what is not `librarian=module`. */
function readReplacements(given: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.map((each) => {
      const [, id, module] = /^([a-z0-9-]{1,64})=(.+)$/.exec(each) ?? [];
      if (id !== undefined && module !== undefined) return [id, module] as const;
      throw new ConfigurationError(`--with: expected librarian=module, got ${each.slice(0, 80)}.`);
    }),
  );
}

import type { KeptRun } from "@constellation/server";
import type { CommandIO } from "../command-io.js";
import type { Mesh } from "../mesh/load-mesh.js";

/** Stores a run that has ended beside its journal, for `constellation runs`. Without a journal that outlives the process it does nothing. */
export async function storeRun(
  { journal, keepsJournal }: Mesh,
  run: KeptRun,
  { stderr }: CommandIO,
): Promise<void> {
  if (journal === undefined || keepsJournal !== true) return;
  const { openStoredRuns, serverLimits } = await import("@constellation/server");
  const stored = openStoredRuns(journal.store, {
    maxBytes: serverLimits.storedRunBytes,
    maxAgeMs: serverLimits.storedRunAgeMs,
    onProblem: (problem) => void stderr.write(`${problem}\n`),
  });
  stored.save(run);
  await stored.close();
}

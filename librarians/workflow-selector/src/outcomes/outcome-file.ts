import { openRecordFile } from "@constellation/authoring";
import { throwIfAborted } from "@constellation/core";
import { checkOutcome, maxOutcomes, readOutcome } from "./check-outcome.js";
import type { Outcome, OutcomeStore } from "./outcome.js";

/** The file is put aside at this size, in bytes, and a new one begun. */
const maxFileBytes = 16 * 1_048_576;

/**
 * Keeps outcomes in a file, one JSON object a line, made where it is missing and readable by its owner only; its secrets are
 * redacted. For one process at a time. The latest 50,000 are read. A file of 16 MiB is put aside as `{path}.{time}`, and
 * still read; the oldest of these are removed beyond 1 GiB in all. A line that is not an outcome is skipped.
 */
export function createOutcomeFile(path: string): OutcomeStore {
  const file = openRecordFile(path, { maxFileBytes });
  let known: { readonly version: string; readonly outcomes: readonly Outcome[] } | undefined;

  return {
    record: async (outcome) => file.append(checkOutcome(outcome)),
    async read(signal) {
      throwIfAborted(signal);
      const version = await file.version();
      if (version === undefined) return [];
      if (known?.version === version) return known.outcomes;
      let outcomes: Outcome[] = [];
      for await (const line of file.lines(signal)) {
        outcomes.push(...readOutcome(line));
        if (outcomes.length >= 2 * maxOutcomes) outcomes = outcomes.slice(-maxOutcomes);
      }
      outcomes = outcomes.slice(-maxOutcomes);
      known = { version, outcomes };
      return outcomes;
    },
  };
}

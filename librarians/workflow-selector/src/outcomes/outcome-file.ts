import { appendFile, stat } from "node:fs/promises";
import { createMutex, readFileBounded, throwIfAborted } from "@constellation/core/authoring";
import { checkOutcome, readOutcome } from "./check-outcome.js";
import type { Outcome, OutcomeStore } from "./outcome.js";

/** Maximum size of a file of outcomes, in bytes. */
const maxBytes = 16 * 1_048_576;

/**
 * Keeps outcomes in a file, one JSON object a line, made where it is missing and readable by its owner only. For one
 * process at a time. A line that is not an outcome is skipped.
 */
export function createOutcomeFile(path: string): OutcomeStore {
  const mutex = createMutex();
  let known: { readonly version: string; readonly outcomes: readonly Outcome[] } | undefined;

  const versionOf = async () => {
    try {
      const { size, mtimeMs } = await stat(path);
      return `${size} ${mtimeMs}`;
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw thrown;
    }
  };

  return {
    record: (outcome) =>
      mutex.runExclusive(async () => {
        const line = JSON.stringify(checkOutcome(outcome));
        await appendFile(path, `${line}\n`, { mode: 0o600 });
      }),
    async read(signal) {
      if (signal !== undefined) throwIfAborted(signal);
      const version = await versionOf();
      if (version === undefined) return [];
      if (known?.version === version) return known.outcomes;
      const text = (await readFileBounded(path, { maxBytes, signal })).toString("utf8");
      const outcomes = text.split("\n").flatMap(readOutcome);
      known = { version, outcomes };
      return outcomes;
    },
  };
}

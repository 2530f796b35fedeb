import { appendFile, stat } from "node:fs/promises";
import { createMutex, readFileBounded } from "@constellation/core/authoring";
import { type Outcome, type OutcomeStore, outcomeSchema } from "./outcome.js";

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
        const checked = outcomeSchema.safeParse(outcome);
        if (!checked.success) {
          const [issue] = checked.error.issues;
          throw new TypeError(`outcome: ${issue?.path.join(".")}: ${issue?.message}.`);
        }
        await appendFile(path, `${JSON.stringify(checked.data)}\n`, { mode: 0o600 });
      }),
    async read(signal) {
      const version = await versionOf();
      if (version === undefined) return [];
      if (known?.version === version) return known.outcomes;
      const text = (await readFileBounded(path, { maxBytes, signal })).toString("utf8");
      const outcomes = text.split("\n").flatMap((line) => readLine(line));
      known = { version, outcomes };
      return outcomes;
    },
  };
}

function readLine(line: string): readonly Outcome[] {
  if (line.trim() === "") return [];
  try {
    const { data } = outcomeSchema.safeParse(JSON.parse(line));
    return data === undefined ? [] : [data];
  } catch {
    return []; // such as the last line, where a process ended while it wrote
  }
}

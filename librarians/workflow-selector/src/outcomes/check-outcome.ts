import { type Outcome, outcomeSchema } from "./outcome.js";

/** Maximum number of outcomes that are read: the latest ones. */
export const maxOutcomes = 50_000;

/** @throws TypeError for what is not an outcome, naming the field. */
export function checkOutcome(outcome: Outcome): Outcome {
  const { data, error } = outcomeSchema.safeParse(outcome);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new TypeError(`outcome: ${issue?.path.join(".")}: ${issue?.message}.`);
}

/** Reads an outcome from JSON; nothing where it is not one. */
export function readOutcome(json: unknown): readonly Outcome[] {
  try {
    const value: unknown = typeof json === "string" ? JSON.parse(json) : json;
    const { data } = outcomeSchema.safeParse(value);
    return data === undefined ? [] : [data];
  } catch {
    return []; // such as the last line of a file, where a process ended while it wrote
  }
}

/** The name of a table, as it may be part of a statement. @throws RangeError for any other text. */
export function checkTable(table: string): string {
  if (/^[a-z_][a-z0-9_]{0,40}$/.test(table)) return table;
  throw new RangeError(
    `table: expected a lower case letter or _, then up to 40 of these and digits, got ${JSON.stringify(table.slice(0, 60))}`,
  );
}

/** An object with string keys: no array, no null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Names a wrong value in a message, in at most 60 characters and without what may be secret: of
 * text that is not a single word, only the length.
 */
export function describeValue(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") {
    return /^[\w.:-]{0,40}$/.test(value) ? `"${value}"` : `text of ${value.length} characters`;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "bigint") return `${typeof value}`;
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : typeof value;
}

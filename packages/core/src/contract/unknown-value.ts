/** An object with string keys: no array, no null, and not a proxy that was revoked. Never throws. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  try {
    return !Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

/**
 * Names a wrong option in a message, in at most 60 characters and without what may be secret: of
 * text that is not a single word, only the length. Never throws.
 */
export function describeValue(value: unknown): string {
  if (typeof value === "string" && /^[\w.:-]{0,40}$/.test(value)) return `"${value}"`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return describeType(value);
}

/**
 * Names a wrong value that a librarian returned: its type and length, and nothing of its content,
 * because it may be a secret that was returned by mistake. Never throws.
 */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text of ${value.length} characters`;
  if (typeof value === "number") return Number.isNaN(value) ? "NaN" : "a number";
  if (typeof value === "boolean") return "a boolean";
  if (typeof value !== "object") return typeof value;
  try {
    return Array.isArray(value) ? `an array of ${value.length}` : "an object";
  } catch {
    return "an object that cannot be read";
  }
}

/** Names what was thrown: the name of an error, else its type. Nothing of its message. Never throws. */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const { name } = thrown;
    return typeof name === "string" && /^\w{1,60}$/.test(name) ? name : "Error";
  } catch {
    return typeof thrown;
  }
}

/** The stack of what was thrown, else its message. For authors only: it may hold secrets. Never throws. */
export function thrownText(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return String(thrown);
    const { name, message, stack } = thrown;
    return typeof stack === "string" && stack !== "" ? stack : `${name}: ${message}`;
  } catch {
    return "a value that cannot be read";
  }
}

/** Longest text of {@link dataText}, in characters. */
const maxDataLength = 2_000;

/** A value as JSON, cut to 2,000 characters. For authors only: it may hold secrets. Never throws. */
export function dataText(value: unknown): string {
  try {
    return (JSON.stringify(value, undefined, 2) ?? String(value)).slice(0, maxDataLength);
  } catch {
    return describeType(value); // a cycle, a bigint, or it threw when it was read
  }
}

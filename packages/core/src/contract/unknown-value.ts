/**
 * An object with string keys: no array, no null, and not a proxy that was revoked. Never throws.
 *
 * @beta
 */
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
 *
 * @beta
 */
export function describeValue(value: unknown): string {
  if (typeof value === "string" && /^[\w.:-]{0,40}$/.test(value)) return `"${value}"`;
  return describeType(value);
}

/**
 * Describes a wrong value that a librarian returned: numbers and booleans in full, other values only by type and
 * length, because it may be a secret that was returned by mistake. Never throws.
 */
export function describeType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") return `text of ${value.length} characters`;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "object") return typeof value;
  try {
    if (value instanceof Promise) return "a promise (is an `await` missing?)";
    return Array.isArray(value) ? `an array of ${value.length}` : "an object";
  } catch {
    return "an object that cannot be read";
  }
}

/**
 * Describes an exception without its message: the name of an error, else its type. Never throws.
 *
 * @beta
 */
export function describeThrown(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return typeof thrown;
    const { name } = thrown;
    return typeof name === "string" && /^\w{1,60}$/.test(name) ? name : "Error";
  } catch {
    return typeof thrown;
  }
}

/**
 * The stack of what was thrown, else its message. For authors only: it may hold secrets. Never throws.
 *
 * @beta
 */
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

export type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

/** Result of checking a part: its copy, or the first problem. */
export type Checked<Part> = { readonly part: Part } | { readonly problem: string };

/** Whether a value is text that is not too long. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= responseLimits.textLength;
}

/** Whether a value is a number from 0 to 1. */
export function isShare(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 1;
}

/** A message with the field, what is expected, and the type of its value. */
export function wrong(field: string, expected: string, got: unknown): string {
  return `${field}: expected ${expected}, got ${describeType(got)}`;
}

/** A message for a field that has too many characters or items. */
export function tooMany(field: string, unit: string, got: number, most: number): string {
  return `${field}: expected at most ${most} ${unit}, got ${got}`;
}

/** Limits of a valid response. */
export const responseLimits = {
  /** Characters of `answer`, and of a delegate's `query`. */
  answerLength: 1_000_000,
  /** Characters of any other text: messages, names, ids. */
  textLength: 100_000,
  /** Items of `sources` and of `delegate`. */
  items: 10_000,
} as const;

/** The fields of `T`: those that may be undefined are optional, and defined where they are present. */
export type Defined<T extends object> = {
  [Key in keyof T as undefined extends T[Key] ? never : Key]: T[Key];
} & {
  [Key in keyof T as undefined extends T[Key] ? Key : never]?: Exclude<T[Key], undefined>;
};

/** Copies an object without its fields that are undefined. Not deep. */
export function withoutUndefined<T extends object>(fields: T): Defined<T> {
  const defined: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = fields[key as keyof T]; // it is one of them
    if (value !== undefined) defined[key] = value;
  }
  return defined as Defined<T>; // the fields left out are optional in it
}

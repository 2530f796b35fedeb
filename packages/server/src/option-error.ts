import { z } from "zod";

/** An array, with a message that names what is expected. */
export function listOf<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return z.array(item, "expected an array");
}

/**
 * Says what is wrong with an option.
 *
 * @returns A TypeError for a wrong type or key and a RangeError for a wrong value, naming both. Text
 *   that may be a secret is told by its length.
 */
export function optionError(
  at: string,
  options: unknown,
  { issues }: z.ZodError,
  known: readonly string[],
): TypeError | RangeError {
  const [issue] = issues;
  if (issue === undefined || issue.path.length === 0) {
    if (issue?.code === "unrecognized_keys") {
      return new TypeError(
        `${at}: unknown key ${describeValue(issue.keys[0])}. Known are ${known.join(", ")}.`,
      );
    }
    return new TypeError(`${at}: expected an object, got ${describeValue(options)}.`);
  }
  const path = issue.path.join(".");
  if (issue.code === "unrecognized_keys") {
    return new TypeError(`${path}: unknown key ${describeValue(issue.keys[0])}.`);
  }
  const value = valueAt(options, issue.path);
  const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  const Kind = issue.code === "invalid_type" ? TypeError : RangeError;
  const isSecret = issue.path.at(-1) === "token" && typeof value === "string";
  const told = isSecret ? `text of ${value.length} characters` : describeValue(value);
  return new Kind(`${path}: ${message}, got ${told}.`);
}

/** Names a wrong value in a message, without what may be secret: of longer text only the length. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") {
    return /^[\w./:-]{0,30}$/.test(value) ? `"${value}"` : `text of ${value.length} characters`;
  }
  if (typeof value === "number" || typeof value === "boolean" || value == null) {
    return String(value);
  }
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** What stands at a path. */
export function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    options,
  ); // a path zod walked before
}

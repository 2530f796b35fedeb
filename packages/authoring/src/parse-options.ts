import { didYouMean } from "@constellation/core/checks";
import type { z } from "zod";
import { describeValue } from "./describe-value.js";

/** How {@link parseOptions} reports what is wrong. */
export interface ParseOptions {
  /** Name of the options in messages. @default "options" */
  readonly at?: string | undefined;
  /** Keys whose values may be secrets, at any depth: messages show only their length. */
  readonly secrets?: readonly string[] | undefined;
}

/**
 * Checks options from outside with a schema.
 *
 * @returns The output of the schema.
 * @throws TypeError for a wrong type, a missing field or an unknown key, RangeError for a value out of
 *   range or of the wrong form. The message names the field, what is expected, and the value, redacted.
 */
export function parseOptions<Options>(
  schema: z.ZodType<Options>,
  options: unknown,
  { at = "options", secrets = [] }: ParseOptions = {},
): Options {
  const checked = schema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue === undefined || (issue.path.length === 0 && issue.code === "invalid_type")) {
    throw new TypeError(`${at}: expected an object, got ${describeValue(options)}.`);
  }
  if (issue.code === "unrecognized_keys") {
    const where = [at, ...issue.path].join(".");
    const known = knownKeys(schema, issue.path);
    const valid = known.length === 0 ? "" : ` Valid keys: ${known.join(", ")}.`;
    const [key = ""] = issue.keys;
    const advice = didYouMean(key, known);
    throw new TypeError(`${where}: unknown key ${describeValue(key)}.${advice}${valid}`);
  }
  const value = valueAt(options, issue.path);
  const isSecret = issue.path.some((step) => secrets.includes(String(step)));
  const where = issue.path.length === 0 ? at : issue.path.join(".");
  const message = issue.code === "invalid_key" ? issue.issues[0]?.message : issue.message;
  const Kind = isWrongType(issue, value) ? TypeError : RangeError;
  throw new Kind(
    `${where}: ${withoutReceived(message)}, got ${describeValue(value, { isSecret })}.`,
  );
}

/** The default message of zod, without the type of the value, which follows: `expected number`. */
function withoutReceived(message = "expected something else"): string {
  const own = "Invalid input: ";
  return message.startsWith(own)
    ? (message.slice(own.length).split(", received ")[0] ?? "")
    : message;
}

function isWrongType(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (value === undefined) return true; // missing
  switch (issue.code) {
    case "invalid_type":
      // zod reports NaN, Infinity and 1.5 as wrong types.
      return !(typeof value === "number" && ["number", "int"].includes(issue.expected));
    case "invalid_value":
      return !issue.values.some((allowed) => typeof allowed === typeof value);
    case "invalid_union":
      return issue.errors.every((branch) =>
        branch.some((each) => isWrongType(each, valueAt(value, each.path))),
      );
    case "custom":
      return issue.params?.wrongType === true;
    default:
      return false;
  }
}

/** The value at a path that zod reported. */
function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    options,
  );
}

/** Keys of the object schema at a path; none where it cannot be found. */
function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): readonly string[] {
  let found: unknown = schema;
  for (const step of path) found = findShape(found)?.[String(step)];
  return Object.keys(findShape(found) ?? {});
}

function findShape(schema: unknown): Readonly<Record<string, unknown>> | undefined {
  let at = schema as { readonly shape?: unknown; readonly unwrap?: () => unknown } | undefined;
  for (let depth = 0; depth < 5 && at?.shape === undefined; depth++) {
    if (typeof at?.unwrap !== "function") return undefined;
    at = at.unwrap() as typeof at;
  }
  return at?.shape as Readonly<Record<string, unknown>> | undefined; // of a zod object
}

/** A JSON object whose fields were not checked. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

/** True for a JSON object; false for arrays and null. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Follows field names and list indexes into a value of unknown shape.
 *
 * @returns Undefined as soon as something on the way is not there. Inherited members are never followed.
 *
 * @example
 * ```ts
 * valueAt(pod, "status", "containerStatuses", 0, "ready");
 * ```
 */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found = value;
  for (const step of path) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, step))
      return undefined;
    found = Reflect.get(found, step);
  }
  return found ?? undefined;
}

/** The text at a path. Undefined when there is none, or it is not text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "string" ? found : undefined;
}

/** The number at a path. Undefined when there is none, or it is not a finite number. */
export function numberAt(
  value: unknown,
  ...path: readonly (string | number)[]
): number | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}

/** The boolean at a path. Undefined when there is none, or it is not a boolean. */
export function booleanAt(
  value: unknown,
  ...path: readonly (string | number)[]
): boolean | undefined {
  const found = valueAt(value, ...path);
  return typeof found === "boolean" ? found : undefined;
}

/** The list at a path. Empty when there is none, or it is not a list. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The JSON object at a path. Empty when there is none, or it is not one. */
export function recordAt(value: unknown, ...path: readonly (string | number)[]): UnknownRecord {
  const found = valueAt(value, ...path);
  return isRecord(found) ? found : {};
}

/**
 * The moment at a path, in epoch milliseconds. Takes RFC 3339 text and a `Date`, since a client library
 * may give either for the same field. Undefined for anything else, and for the zero time of Go.
 */
export function timeAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = valueAt(value, ...path);
  if (typeof found !== "string" && !(found instanceof Date)) return undefined;
  const moment = found instanceof Date ? found.getTime() : Date.parse(found);
  return Number.isFinite(moment) && moment > 0 ? moment : undefined;
}

/**
 * Writes any value as JSON. What JSON cannot hold, such as a cycle, a bigint or a property that throws
 * when it is read, is replaced by a short text. Never throws.
 */
export function plainJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(plain(value, [], { left: maxValues }));
  }
}

const maxDepth = 64;
/** Only values that failed once are walked; this bounds a graph with many shared values. */
const maxValues = 100_000;

function plain(value: unknown, above: readonly object[], count: { left: number }): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (above.length >= maxDepth || count.left-- <= 0) return "[left out]";
  const path = [...above, value];
  try {
    if (Array.isArray(value)) return value.map((item) => plain(item, path, count));
    if (value instanceof Date) return value.toJSON();
    return Object.fromEntries(
      Object.keys(value).map((key) => [key, plainAt(value, key, path, count)]),
    );
  } catch {
    return "[unreadable]";
  }
}

function plainAt(
  value: object,
  key: string,
  path: readonly object[],
  count: { left: number },
): unknown {
  try {
    return plain((value as Readonly<Record<string, unknown>>)[key], path, count);
  } catch {
    return "[unreadable]";
  }
}

/**
 * Writes a value as JSON, whatever a librarian put in it: what JSON cannot hold, such as a cycle, a
 * bigint or something that throws when it is read, is told in a word instead. Never throws.
 */
export function plainJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(plain(value, [], { left: mostValues }));
  }
}

const deepest = 64;
/** Only values that failed once are walked; this keeps a graph that shares much from growing. */
const mostValues = 100_000;

function plain(value: unknown, above: readonly object[], count: { left: number }): unknown {
  if (typeof value === "bigint") return String(value);
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "[circular]";
  if (above.length >= deepest || count.left-- <= 0) return "[left out]";
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

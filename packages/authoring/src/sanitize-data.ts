import { isUnsafeLink } from "./safe-link.js";
import { sanitizeMarkdown, sanitizeMarkdownLine } from "./sanitize-markdown.js";

/** Limits of data of a remote system; data beyond them is left out. */
const limits = { depth: 32, nodes: 10_000, keyLength: 200 };

/** Data of a remote system, cleaned. */
export interface SanitizedData {
  readonly data: Readonly<Record<string, unknown>>;
  /** Whether something was left out because it is too deep or too much. */
  readonly isCut: boolean;
}

/**
 * Copies JSON data of a remote system with texts and keys cleaned by {@link sanitizeMarkdown}, and without unsafe
 * links.
 *
 * @param data - As JSON.parse gives it: no cycles, no accessors.
 */
export function sanitizeData(data: Readonly<Record<string, unknown>>): SanitizedData {
  let nodes = 0;
  let isCut = false;

  function fits(depth: number): boolean {
    const isFitting = depth <= limits.depth && nodes < limits.nodes;
    if (isFitting) nodes++;
    else isCut = true;
    return isFitting;
  }

  function sanitizeCopy(value: unknown, depth: number): unknown {
    if (typeof value === "string") return isUnsafeLink(value) ? "" : sanitizeMarkdown(value);
    if (typeof value !== "object" || value === null) return value;
    if (!Array.isArray(value))
      return sanitizeRecord(value as Readonly<Record<string, unknown>>, depth);
    const items: unknown[] = [];
    for (const item of value as readonly unknown[]) {
      if (!fits(depth)) break;
      items.push(sanitizeCopy(item, depth + 1));
    }
    return items;
  }

  function sanitizeRecord(record: Readonly<Record<string, unknown>>, depth: number) {
    const copy: [string, unknown][] = [];
    for (const key of Object.keys(record)) {
      if (!fits(depth)) break;
      copy.push([
        sanitizeMarkdownLine(key, limits.keyLength),
        sanitizeCopy(record[key], depth + 1),
      ]);
    }
    return Object.fromEntries(copy); // which keeps a key like `__proto__` a key
  }

  return { data: sanitizeRecord(data, 1), isCut };
}

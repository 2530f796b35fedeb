import { createHash } from "node:crypto";

/** Longest key that is kept as it is; of longer ones a digest is kept. In characters. */
const maxKeyLength = 512;

const maxNodes = 10_000;

/**
 * A key for values that is the same exactly when they are equal: letter case, spacing and types count,
 * the order of keys does not.
 *
 * @returns `undefined` for what is not plain data, is cyclic, or has more than 10,000 values: such a call
 *   is like no other.
 */
export function cacheKey(...values: readonly unknown[]): string | undefined {
  const budget = { nodes: maxNodes };
  const parts = values.map((value) => encode(value, budget, 0));
  if (parts.includes(undefined)) return undefined;
  const key = parts.join(",");
  if (key.length <= maxKeyLength) return key;
  return `sha256 ${createHash("sha256").update(key).digest("hex")}`;
}

const maxDepth = 100;

function encode(value: unknown, budget: { nodes: number }, depth: number): string | undefined {
  if (--budget.nodes < 0 || depth > maxDepth) return undefined;
  if (value === undefined) return "undefined";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value !== "object") return undefined;
  try {
    return encodeObject(value, budget, depth);
  } catch {
    return undefined; // it threw while it was being read
  }
}

function encodeObject(value: object, budget: { nodes: number }, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    if (value.length > budget.nodes) return undefined;
    const items = Array.from(value, (each) => encode(each, budget, depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
  }
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = encode((value as Record<string, unknown>)[key], budget, depth + 1);
    if (field === undefined) return undefined;
    fields.push(`${JSON.stringify(key)}:${field}`);
  }
  return `{${fields.join(",")}}`;
}

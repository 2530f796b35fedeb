import { createHash } from "node:crypto";

/** Longest key that is kept unchanged; of longer ones a digest is kept. In characters. */
const maxKeyLength = 512;

const maxNodes = 10_000;

/**
 * A key that is the same exactly for equal values: letter case, spacing and types matter, the order of keys does not.
 *
 * @returns `undefined` for data that is not plain, is cyclic, or has more than 10,000 values: such a call equals no
 * other.
 */
export function cacheKey(...values: readonly unknown[]): string | undefined {
  const key = encode(values, { nodes: maxNodes, identify: () => undefined }, 0);
  if (key === undefined || key.length <= maxKeyLength) return key;
  return `sha256 ${createHash("sha256").update(key).digest("hex")}`;
}

/**
 * Whether two values are the same: equal plain data, or identical objects of other kinds. More than 10,000 objects
 * and values count as different, as does what throws while it is read. A part that is shared is read once.
 */
export function isSameData(one: unknown, other: unknown): boolean {
  const encoding = { nodes: 2 * maxNodes, identify, read: new Map(), contents: new Map() };
  const key = encode(one, encoding, 0);
  return key !== undefined && key === encode(other, encoding, 0);
}

const numbers = new WeakMap<object, number>();
let count = 0;

/** Names an object, in this process. */
export function identify(value: object): string {
  const number = numbers.get(value) ?? ++count;
  numbers.set(value, number);
  return `#${number}`;
}

const maxDepth = 100;

interface Encoding {
  /** Number of values that may still be added. */
  nodes: number;
  /** Identifies values that are not plain data. */
  readonly identify: (value: object) => string | undefined;
  /** The short form of each object that was read; absent: its content is written out. */
  readonly read?: Map<object, string>;
  /** The short form of each content. */
  readonly contents?: Map<string, string>;
}

function encode(value: unknown, encoding: Encoding, depth: number): string | undefined {
  if (--encoding.nodes < 0 || depth > maxDepth) return undefined;
  if (value === undefined) return "undefined";
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Object.is(value, -0) ? "-0" : String(value);
  if (typeof value === "function") return encoding.identify(value);
  if (typeof value !== "object") return undefined;
  try {
    return (
      encoding.read?.get(value) ?? shorten(value, encodeObject(value, encoding, depth), encoding)
    );
  } catch {
    return undefined; // it threw while it was being read
  }
}

/** Where objects are read once: a number for the content of each, the same for equal ones. */
function shorten(
  value: object,
  content: string | undefined,
  { read, contents }: Encoding,
): string | undefined {
  if (content === undefined || read === undefined || contents === undefined) return content;
  const short = contents.get(content) ?? `@${contents.size}`;
  contents.set(content, short);
  read.set(value, short);
  return short;
}

function encodeObject(value: object, encoding: Encoding, depth: number): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (Array.isArray(value)) {
    if (value.length > encoding.nodes) return undefined;
    const items = Array.from(value, (each) => encode(each, encoding, depth + 1));
    return items.includes(undefined) ? undefined : `[${items.join(",")}]`;
  }
  if (prototype !== Object.prototype && prototype !== null) return encoding.identify(value);
  const fields: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = encode((value as Record<string, unknown>)[key], encoding, depth + 1);
    if (field === undefined) return undefined;
    fields.push(`${JSON.stringify(key)}:${field}`);
  }
  return `{${fields.join(",")}}`;
}

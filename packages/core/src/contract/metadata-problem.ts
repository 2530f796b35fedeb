import type { InputLimits } from "./input-limits.js";

/** What a value that is neither text nor a buffer counts, in characters. */
const valueLength = 8;

/**
 * Why metadata is too much: it is too large or nested too deeply; `undefined` when it is not. Parts that
 * are shared count wherever they are; a part that contains itself counts as one value there. What throws
 * while it is read counts as one value too. Calls no getter. Never throws.
 */
export function metadataProblem(
  metadata: object,
  { maxMetadataLength, maxMetadataDepth }: InputLimits,
): string | undefined {
  let length = valueLength;
  const path = new Set<object>();
  const open: Step[] = [{ part: metadata, isDone: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part: value, isDone } = next;
    if (isDone) path.delete(value);
    if (isDone || path.has(value)) continue;
    path.add(value);
    if (path.size > maxMetadataDepth) {
      return `expected at most ${maxMetadataDepth} levels, got more`;
    }
    open.push({ part: value, isDone: true });
    const isRead = readParts(value, (key, part) => {
      length += key.length + lengthOf(part);
      if (isNested(part)) open.push({ part, isDone: false });
      return length <= maxMetadataLength;
    });
    if (!isRead) return `expected at most ${maxMetadataLength} characters, keys included, got more`;
  }
  return undefined;
}

/** A part of the metadata that is read next, or whose parts have all been read. */
interface Step {
  readonly part: object;
  readonly isDone: boolean;
}

function lengthOf(value: unknown): number {
  if (typeof value === "string") return value.length;
  return ArrayBuffer.isView(value) ? value.byteLength : valueLength;
}

/** Plain data: what else is in metadata belongs to the application. */
function isNested(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  try {
    const prototype: unknown = Object.getPrototypeOf(value);
    return prototype === Object.prototype || prototype === null || Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

/** @param onPart - Returns whether to read on. @returns Whether everything was read that can be. */
function readParts(value: object, onPart: (key: string, part: unknown) => boolean): boolean {
  try {
    if (Array.isArray(value)) {
      for (const part of value as unknown[]) if (!onPart("", part)) return false;
      return true;
    }
    for (const key of Object.keys(value)) {
      if (!onPart(key, Object.getOwnPropertyDescriptor(value, key)?.value)) return false;
    }
  } catch {
    // a proxy that throws
  }
  return true;
}

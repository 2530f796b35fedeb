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
  const open: Level[] = [{ value: metadata, depth: 1, above: undefined }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const level = next;
    if (level.depth > maxMetadataDepth) {
      return `expected at most ${maxMetadataDepth} levels, got more`;
    }
    const isRead = readParts(level.value, (key, part) => {
      length += key.length + lengthOf(part);
      if (isNested(part) && !isWithin(part, level)) {
        open.push({ value: part, depth: level.depth + 1, above: level });
      }
      return length <= maxMetadataLength;
    });
    if (!isRead) return `expected at most ${maxMetadataLength} characters, keys included, got more`;
  }
  return undefined;
}

/** A part of the metadata, and the part that holds it. */
interface Level {
  readonly value: object;
  readonly depth: number;
  readonly above: Level | undefined;
}

function isWithin(part: object, level: Level): boolean {
  for (let each: Level | undefined = level; each !== undefined; each = each.above) {
    if (each.value === part) return true;
  }
  return false;
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

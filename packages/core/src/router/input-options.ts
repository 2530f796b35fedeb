import { type InputLimits, inputLimits } from "../contract/input-limits.js";
import { requireCount } from "../contract/option-checks.js";

/** Maximum sizes of what callers and librarians may give. */
export interface InputOptions {
  /**
   * Maximum number of characters of a query; a longer one is refused with `INVALID_QUERY`. Integer,
   * 1 or more, or `Infinity`.
   *
   * @default 1_000_000
   */
  readonly maxQueryLength?: number | undefined;
  /**
   * Maximum number of characters of an answer; a response with a longer one is invalid, and answers
   * merged into one are cut. Integer, 1 or more, or `Infinity`.
   *
   * @default 1_000_000
   */
  readonly maxAnswerLength?: number | undefined;
  /**
   * Maximum number of sources of a response; one with more is invalid, and a merged one keeps the most
   * relevant. Integer, 0 or more, or `Infinity`.
   *
   * @default 10_000
   */
  readonly maxSources?: number | undefined;
  /**
   * Maximum size of metadata, of a query or of a response: characters of keys and texts, 8 for any other
   * value. Beyond it a query is refused with `INVALID_QUERY`, and a response is invalid. Integer, 1 or
   * more, or `Infinity`.
   *
   * @default 16_777_216
   */
  readonly maxMetadataLength?: number | undefined;
  /**
   * Maximum number of levels of objects and arrays in metadata, refused as `maxMetadataLength` is.
   * A part that contains itself counts as one value there. Integer, 1 or more.
   *
   * @default 64
   */
  readonly maxMetadataDepth?: number | undefined;
}

const minimums = {
  maxQueryLength: 1,
  maxAnswerLength: 1,
  maxSources: 0,
  maxMetadataLength: 1,
  maxMetadataDepth: 1,
} as const satisfies InputLimits;

/** Names of {@link InputOptions}. */
export const inputKeys = Object.keys(minimums) as readonly (keyof InputLimits)[];

/** @throws TypeError or RangeError that names the key and the value. */
export function inputLimitsOf(options: Readonly<Record<string, unknown>>): InputLimits {
  const limits: Record<keyof InputLimits, number> = { ...inputLimits };
  for (const key of inputKeys) {
    const value = options[key];
    requireCount(key, value, minimums[key]);
    if (value !== undefined) limits[key] = value as number; // checked above
  }
  if (limits.maxMetadataDepth === Number.POSITIVE_INFINITY) {
    throw new RangeError("maxMetadataDepth: expected an integer of 1 or more, got Infinity.");
  }
  return limits;
}

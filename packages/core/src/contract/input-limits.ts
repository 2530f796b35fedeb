import { type OptionTable, readDefaults } from "./option-table.js";

/** Maximum sizes of input to a run, from a caller or a librarian. */
export interface InputLimits {
  /**
   * Maximum number of characters of a query, that of a delegate included; a longer one is refused with
   * `INVALID_QUERY`. Integer, 1 or more, or `Infinity`.
   *
   * @default 1_000_000
   */
  readonly maxQueryLength: number;
  /**
   * Maximum number of characters of an answer; a response with a longer one is invalid, and answers
   * merged into one are cut. Integer, 1 or more, or `Infinity`.
   *
   * @default 1_000_000
   */
  readonly maxAnswerLength: number;
  /**
   * Maximum number of sources of a response; one with more is invalid, and a merged one keeps the most
   * relevant. Integer, 0 or more, or `Infinity`.
   *
   * @default 10_000
   */
  readonly maxSources: number;
  /**
   * Maximum size of metadata, of a query or of a response: characters of keys and texts, 8 for any other
   * value, and the bytes of a buffer. About the length of its JSON. Beyond it a query is refused with
   * `INVALID_QUERY`, and a response is invalid. Integer, 1 or more, or `Infinity`.
   *
   * @default 16_777_216
   */
  readonly maxMetadataLength: number;
  /**
   * Maximum number of levels of objects and arrays in metadata, refused as `maxMetadataLength` is.
   * Integer, 1 or more. Data with thousands of levels cannot be read, whatever the limit is.
   *
   * @default 64
   */
  readonly maxMetadataDepth: number;
}

export const inputLimitTable = {
  maxQueryLength: { kind: "count", default: 1_000_000 },
  maxAnswerLength: { kind: "count", default: 1_000_000 },
  maxSources: { kind: "count", min: 0, default: 10_000 },
  maxMetadataLength: { kind: "count", default: 16_777_216 },
  maxMetadataDepth: { kind: "count", isFinite: true, default: 64 },
} as const satisfies OptionTable<Partial<InputLimits>>;

/** The defaults of a router. */
export const inputLimits = readDefaults(inputLimitTable) satisfies InputLimits;

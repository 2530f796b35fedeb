/** Maximum sizes of what comes into a run, from a caller or a librarian. */
export interface InputLimits {
  /** Characters of a query, that of a delegate included. */
  readonly maxQueryLength: number;
  /** Characters of an answer. */
  readonly maxAnswerLength: number;
  /** Sources of one response. */
  readonly maxSources: number;
  /**
   * Size of metadata, in characters: its keys and texts as they are, 8 for any other value, and the
   * bytes of a buffer. About the length of its JSON.
   */
  readonly maxMetadataLength: number;
  /** Levels of objects and arrays in metadata. */
  readonly maxMetadataDepth: number;
}

/** The defaults of a router. */
export const inputLimits = {
  maxQueryLength: 1_000_000,
  maxAnswerLength: 1_000_000,
  maxSources: 10_000,
  maxMetadataLength: 16_777_216,
  maxMetadataDepth: 64,
} as const satisfies InputLimits;

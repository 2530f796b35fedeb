/** Bounds of a response: what is larger is not one. */
export const responseLimits = {
  /** Characters of `answer`, and of a delegate's `query`. */
  answerLength: 1_000_000,
  /** Characters of any other text: messages, names, ids. */
  textLength: 100_000,
  /** Items of `sources` and of `delegate`. */
  items: 10_000,
} as const;

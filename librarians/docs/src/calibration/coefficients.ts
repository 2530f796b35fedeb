// Written by `npm run fit -w librarians/docs`, 2026-11-27: do not edit.

/** Predicts the probability that the pages answer a query. */
export const answerable = {
  intercept: -2.1765,
  weights: {
    evidence: 3.7498,
    known: 1.6588,
    title: 2.2558,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -4.1155,
  weights: {
    similar: 7.1242,
    known: 0.9279,
    passage: 5.1229,
  },
} as const;

/** Predicts the probability that the best section is the right one. */
export const confident = {
  intercept: -3.1313,
  weights: {
    dominance: 4.1461,
    headingAsked: 1.1408,
    samePage: 1.1971,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: -3.137,
  weights: {
    dominance: 4.4514,
    headingAsked: 0.9941,
    samePage: 1.1344,
  },
} as const;

/** Thresholds at which a probability becomes a decision. */
export const thresholds = {
  /**
   * Minimum probability for a query to be answered: seven in ten queries without an answer are
   * below it, as are seven in ten of those in the domain.
   */
  answer: 0.683,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.685,
  /**
   * Below this probability of an answer, confidence is low: at most 4 % of out-of-domain queries
   * are above it.
   */
  sure: 0.829,
  /** Minimum probability for high confidence: 88 % of these answers are right. */
  high: 0.803,
  /** Minimum probability for medium confidence: 70 % of these answers are right. */
  medium: 0.602,
  /**
   * From this share of a question on in a name that the best section is not about, confidence is low: right answers
   * to at most 0.5 % of the questions lose high confidence.
   */
  astray: 0.303,
} as const;

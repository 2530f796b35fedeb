// Written by `npm run fit -w librarians/docs`, 2026-11-27: do not edit.

/** Predicts the probability that the pages answer a query. */
export const answerable = {
  intercept: -2.2114,
  weights: {
    evidence: 3.3574,
    known: 1.8039,
    title: 3.1261,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -3.8009,
  weights: {
    similar: 6.979,
    known: 1.1999,
    passage: 4.0774,
  },
} as const;

/** Predicts the probability that the best section is the right one. */
export const confident = {
  intercept: -1.3519,
  weights: {
    dominance: 4.307,
    headingAsked: 0.5137,
    samePage: 0.8945,
    size: -0.2413,
    headingInOrder: 0.3944,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: -1.74,
  weights: {
    dominance: 4.4452,
    headingAsked: 0.3539,
    samePage: 1.0028,
    size: -0.156,
    headingInOrder: 0.2852,
  },
} as const;

/** Thresholds at which a probability becomes a decision. */
export const thresholds = {
  /**
   * Minimum probability for a query to be answered: seven in ten queries without an answer are
   * below it, as are seven in ten of those in the domain.
   */
  answer: 0.687,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.696,
  /**
   * Below this probability of an answer, confidence is low: at most 4 % of out-of-domain queries
   * are above it.
   */
  sure: 0.806,
  /** Minimum probability for high confidence: 88 % of these answers are right. */
  high: 0.778,
  /** Minimum probability for medium confidence: 70 % of these answers are right. */
  medium: 0.62,
  /**
   * From this share of a question on in a name that the best section is not about, confidence is low: right answers
   * to at most 0.5 % of the questions lose high confidence.
   */
  astray: 0.337,
} as const;

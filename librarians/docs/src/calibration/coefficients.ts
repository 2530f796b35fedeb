// Written by `npm run fit -w librarians/docs`, 2026-11-27: do not edit.

/** Predicts the probability that the pages answer a query. */
export const answerable = {
  intercept: -2.2097,
  weights: {
    evidence: 3.4438,
    known: 1.7568,
    title: 2.7096,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -3.8082,
  weights: {
    similar: 6.7711,
    known: 1.3761,
    passage: 4.029,
  },
} as const;

/** Predicts the probability that the best section is the right one. */
export const confident = {
  intercept: -3.1209,
  weights: {
    dominance: 4.1431,
    headingAsked: 1.185,
    samePage: 0.9364,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: -3.2371,
  weights: {
    dominance: 4.3798,
    headingAsked: 1.0306,
    samePage: 1.196,
  },
} as const;

/** Thresholds at which a probability becomes a decision. */
export const thresholds = {
  /**
   * Minimum probability for a query to be answered: seven in ten queries without an answer are
   * below it, as are seven in ten of those in the domain.
   */
  answer: 0.689,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.696,
  /**
   * Below this probability of an answer, confidence is low: at most 4 % of out-of-domain queries
   * are above it.
   */
  sure: 0.82,
  /** Minimum probability for high confidence: 88 % of these answers are right. */
  high: 0.773,
  /** Minimum probability for medium confidence: 70 % of these answers are right. */
  medium: 0.676,
  /**
   * From this share of a question on in a name that the best section is not about, confidence is low: right answers
   * to at most 0.5 % of the questions lose high confidence.
   */
  astray: 0.3,
} as const;

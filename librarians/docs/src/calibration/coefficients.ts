// Written by `npm run fit -w librarians/docs`, 2026-11-23: do not edit.

/** Predicts the probability that the pages answer a query. */
export const answerable = {
  intercept: -2.1764,
  weights: {
    evidence: 3.7499,
    known: 1.6586,
    title: 2.2554,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -4.1154,
  weights: {
    similar: 7.1249,
    known: 0.9273,
    passage: 5.1231,
  },
} as const;

/** Predicts the probability that the best section is the right one. */
export const confident = {
  intercept: -0.1688,
  weights: {
    evidence: 1.342,
    lead: 4.7759,
    samePage: 1.2362,
    spread: -3.2605,
    title: 2.4437,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: 0.7578,
  weights: {
    evidence: 1.4247,
    lead: 3.9607,
    samePage: 1.2141,
    spread: -4.4329,
    title: 2.232,
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
  sure: 0.793,
  /** Minimum probability for high confidence: 90 % of these answers are right. */
  high: 0.81,
  /** Minimum probability for medium confidence: 70 % of these answers are right. */
  medium: 0.581,
} as const;

// Written by `npm run fit -w librarians/docs`, 2026-11-22: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -6.2155,
  weights: {
    evidence: 2.3891,
    known: 1.8482,
    title: 4.0858,
    topCoverage: 5.2192,
    rarestMissing: 2.3338,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -7.315,
  weights: {
    evidence: 0.466,
    known: 1.659,
    title: 2.1847,
    topCoverage: 4.3409,
    rarestMissing: 2.0391,
    nearest: 7.0729,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: -3.9783,
  weights: {
    topShare: 3.7128,
    length: 0.4416,
    lead: 6.2622,
    nextPage: 0.1985,
    samePage: 1.5191,
    headingAsked: 0.5181,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: seven of eight answerable ones, on knowledge bases not fitted on. */
  answer: 0.526,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.504,
  /** From this chance on confidence is high: .9 are right. */
  high: 0.77,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.63,
} as const;

// Written by `npm run fit -w librarians/docs`, 2026-11-22: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -5.3122,
  weights: {
    evidence: 4.0403,
    topCoverage: 5.3154,
    rarestMissing: 2.377,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: -3.9931,
  weights: {
    topShare: 4.6437,
    topCoverage: 1.4751,
    lead: 3.2539,
    nextPage: 1.2943,
    headingAsked: 1.0924,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: five of six answerable ones, on knowledge bases not fitted on. */
  answer: 0.572,
  /** From this chance on confidence is high: .88 are right. */
  high: 0.828,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.586,
} as const;

// Written by `npm run fit -w librarians/docs`, 2026-11-21: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -12.6311,
  weights: {
    evidence: 6.4789,
    closeness: 31.5243,
    topCoverage: 6.9197,
    passage: -2.2763,
    above: -4.1876,
    lead: -5.8615,
    promotion: 3.4191,
    rarestMissing: 2.6579,
    headingAsked: 2.0611,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: 4.6117,
  weights: {
    nextPage: 1.4835,
    lead: 4.7835,
    samePage: 1.2681,
    title: 3.2461,
    spread: -5.4709,
    passage: -2.8834,
    proximity: 23.6567,
    length: -0.54,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: best F1 between answerable and out of domain. */
  answer: 0.41,
  /** From this chance on confidence is high. */
  high: 0.732,
  /** From this chance on it is medium. */
  medium: 0.5,
} as const;

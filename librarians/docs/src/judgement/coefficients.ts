// Written by `npm run fit -w librarians/docs`, 2026-11-21: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -12.6406,
  weights: {
    evidence: 6.4793,
    closeness: 31.5093,
    topCoverage: 6.9204,
    passage: -2.2762,
    above: -4.1854,
    lead: -5.8552,
    promotion: 3.424,
    rarestMissing: 2.6596,
    headingAsked: 2.0604,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: 4.6193,
  weights: {
    nextPage: 1.4839,
    lead: 4.777,
    samePage: 1.2662,
    title: 3.2485,
    spread: -5.4793,
    passage: -2.8874,
    proximity: 23.6558,
    length: -0.5391,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: best F1 between answerable and out of domain. */
  answer: 0.41,
  /** From this chance on confidence is high. */
  high: 0.731,
  /** From this chance on it is medium. */
  medium: 0.5,
} as const;

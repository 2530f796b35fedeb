// Written by `npm run fit -w librarians/docs`, 2026-11-21: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -9.7097,
  weights: {
    topShare: 11.7797,
    bestCoverage: 3.172,
    heading: -2.9099,
    headingAsked: 2.1446,
    proximity: 30.2854,
    rarestMissing: 2.1695,
    scarce: -3.583,
    length: 1.5097,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: 1.7879,
  weights: {
    nextPage: 1.1993,
    lead: 4.0906,
    vote: 1.4665,
    spread: -3.5289,
    rivals: -0.1957,
    heading: -1.363,
    headingAsked: 0.8586,
    bestCoverage: -0.2937,
    rarestMissing: 0.0604,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: best F1 between answerable and out of domain. */
  answer: 0.534,
  /** From this chance on confidence is high. */
  high: 0.772,
  /** From this chance on it is medium. */
  medium: 0.5,
} as const;

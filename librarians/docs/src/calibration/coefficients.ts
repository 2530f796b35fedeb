// Written by `npm run fit -w librarians/docs`, 2026-11-22: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -6.161,
  weights: {
    evidence: 2.3576,
    known: 1.8637,
    title: 4.1092,
    topCoverage: 5.1739,
    rarestMissing: 2.2915,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -7.3098,
  weights: {
    nearest: 3.02,
    similar: 6.2771,
    passage: 3.775,
    length: -0.5029,
    topCoverage: 3.7014,
    rarestMissing: 2.841,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: -5.7858,
  weights: {
    topShare: 1.9066,
    lead: 7.1295,
    samePage: 1.7642,
    known: 1.9177,
    proximity: 24.8864,
    rarestMissing: 1.016,
    headingAsked: 0.4719,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: -1.9834,
  weights: {
    topShare: 3.2161,
    length: 0.7516,
    lead: 4.932,
    samePage: 1.3812,
    spread: -3.1496,
    title: 2.1953,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: seven of eight answerable ones, on knowledge bases not fitted on. */
  answer: 0.526,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.56,
  /** Below this chance of an answer confidence is low: one in twenty of the answerable queries that would have more. */
  sure: 0.703,
  /** From this chance on confidence is high: .9 are right. */
  high: 0.81,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.581,
} as const;

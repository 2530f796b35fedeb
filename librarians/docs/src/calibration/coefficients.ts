// Written by `npm run fit -w librarians/docs`, 2026-11-22: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -4.461,
  weights: {
    evidence: 2.0562,
    known: 1.5965,
    title: 3.6729,
    topCoverage: 3.849,
    rarestMissing: 1.5984,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -6.1115,
  weights: {
    nearest: 1.5022,
    similar: 6.4637,
    passage: 3.3799,
    length: -0.0464,
    topCoverage: 2.6202,
    rarestMissing: 1.9971,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: -4.4998,
  weights: {
    topShare: 1.7735,
    lead: 6.7165,
    samePage: 1.5761,
    known: 0.9477,
    proximity: 24.5516,
    rarestMissing: 0.8566,
    headingAsked: 0.4349,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: -2.0239,
  weights: {
    topShare: 2.7631,
    length: 0.7877,
    lead: 5.2401,
    samePage: 1.4389,
    spread: -2.9993,
    title: 2.0499,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: on knowledge bases not fitted on, seven in ten of those without an answer are below. */
  answer: 0.64,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.635,
  /** Below this chance of an answer confidence is low: at most 4 % of what is out of domain has more. */
  sure: 0.828,
  /** From this chance on confidence is high: .9 are right. */
  high: 0.824,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.571,
} as const;

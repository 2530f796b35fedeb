// Written by `npm run fit -w librarians/docs`, 2026-11-22: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -3.1281,
  weights: {
    evidence: 4.4669,
    known: 2.3134,
    title: 3.123,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -4.7223,
  weights: {
    evidence: 2.7898,
    known: 1.8756,
    title: 1.553,
    nearest: 6.663,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: -3.8496,
  weights: {
    topShare: 4.3014,
    topCoverage: 1.5323,
    lead: 2.7675,
    nextPage: 1.3354,
    headingAsked: 1.1139,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: five of six answerable ones, on knowledge bases not fitted on. */
  answer: 0.585,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.567,
  /** From this chance on confidence is high: .88 are right. */
  high: 0.851,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.555,
} as const;

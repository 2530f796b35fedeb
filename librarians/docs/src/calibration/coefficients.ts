// Written by `npm run fit -w librarians/docs`, 2026-11-23: do not edit.

/** The chance that the pages answer a query. */
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

/** The chance that the best section is the right one. */
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

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: seven in ten of those without an answer are below, and of those in the domain. */
  answer: 0.683,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.685,
  /** Below this chance of an answer confidence is low: at most 4 % of what is out of domain has more. */
  sure: 0.793,
  /** From this chance on confidence is high: .9 are right. */
  high: 0.81,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.581,
} as const;

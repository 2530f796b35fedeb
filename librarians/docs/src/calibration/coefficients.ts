// Written by `npm run fit -w librarians/docs`, 2026-11-23: do not edit.

/** The chance that the pages answer a query. */
export const answerable = {
  intercept: -2.9037,
  weights: {
    evidence: 3.3219,
    title: 3.4409,
    related: 3.04,
    together: -2.7595,
    togetherRelated: 3.3111,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const answerableByMeaning = {
  intercept: -4.8536,
  weights: {
    similar: 7.2193,
    known: 1.3081,
    topPassage: -3.7783,
    topPassageRelated: 8.6538,
    evidence: 0.4572,
  },
} as const;

/** The chance that the best section is the right one. */
export const confident = {
  intercept: -0.8279,
  weights: {
    evidence: 0.1864,
    lead: 6.0447,
    samePage: 1.5145,
    spread: -3.3086,
    title: 2.9943,
    proximity: 22.9418,
    rarestMissing: 0.8882,
  },
} as const;

/** The same where meaning took part in the ranking. */
export const confidentByMeaning = {
  intercept: 0.3296,
  weights: {
    evidence: 1.203,
    lead: 5.845,
    samePage: 1.2568,
    spread: -3.8832,
    title: 2.4326,
  },
} as const;

/** Where a chance becomes a decision. */
export const cuts = {
  /** From this chance on a query is answered: seven in ten of those without an answer are below, and of those in the domain. */
  answer: 0.648,
  /** The same where meaning took part in the ranking. */
  answerByMeaning: 0.664,
  /** Below this chance of an answer confidence is low: at most 4 % of what is out of domain has more. */
  sure: 0.763,
  /** From this chance on confidence is high: .9 are right. */
  high: 0.813,
  /** From this chance on it is medium: .7 are right. */
  medium: 0.603,
} as const;

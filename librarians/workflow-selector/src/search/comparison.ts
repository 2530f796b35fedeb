import type { Workflow } from "../catalog/workflow.js";
import { type Clause, isOpposed, splitClauses } from "./clauses.js";
import { inWords } from "./concepts.js";
import {
  type Contradiction,
  type EntryClauses,
  findContradiction,
  type WorthOf,
} from "./contradictions.js";
import { readDescriptionParts } from "./description-parts.js";
import type { EntryPostings } from "./entry-postings.js";

/** How what was observed compares with what an entry says it is for, and not for. */
export interface Comparison {
  /** Share of one clause of `whenNotToUse` or `preconditions` that one observation meets, 0 to 1. */
  readonly against: number;
  /** Words of that clause that the observation has. */
  readonly words: number;
  /** Share of one clause of `whenToUse` that the observations meet, 0 to 1; undefined: it says nothing of its use. */
  readonly support: number | undefined;
  /** The clause against it; blank where none is met. */
  readonly clause: string;
  /** The clause of its use, preconditions or exclusions that an observation contradicts. */
  readonly contradicted?: Contradiction | undefined;
  /** What was observed that shares no word with what the entry is for, one text each. */
  readonly unexplained: readonly string[];
}

/** What was observed, read for comparisons. */
interface Observed {
  readonly clauses: readonly Clause[];
  readonly texts: readonly { readonly text: string; readonly clauses: readonly Clause[] }[];
}

/** Compares an entry, by its place, with observations. */
export type CompareEntry = (place: number, observed: Observed) => Comparison;

/** Reads observations, and traits of the object in words, for comparisons. */
export function readObserved(observations: readonly string[], traits: readonly string[]): Observed {
  const texts = observations.map((text) => ({ text, clauses: splitClauses(text) }));
  return {
    texts,
    clauses: [
      ...texts.flatMap(({ clauses }) => clauses),
      ...traits.flatMap((one) => splitClauses(one)),
    ],
  };
}

/** An observation of fewer words, numbers aside, is not judged. */
const minTerms = 2;
const startsWithDigit = /^\d/;

/** Prepares the comparison; an entry's clauses are read when it is first compared. */
export function createComparison(
  workflows: readonly Workflow[],
  postings: EntryPostings,
): CompareEntry {
  const read = new Map<number, EntryClauses>();
  const clausesOfEntry = (place: number): EntryClauses => {
    const workflow = workflows[place];
    const parts = workflow && readDescriptionParts(workflow);
    const found = read.get(place) ?? {
      against: splitClauses(parts?.whenNotToUse),
      preconditions: splitClauses(parts?.preconditions),
      use: splitClauses(parts?.whenToUse),
      about: splitClauses(`${inWords(workflow?.id ?? "")}. ${parts?.what ?? ""}`),
    };
    read.set(place, found);
    return found;
  };
  const worth = (terms: Iterable<string>) => {
    let sum = 0;
    for (const term of terms) sum += postings.worth(term);
    return sum;
  };
  const coveredShare = (clause: Clause, terms: ReadonlySet<string>) => {
    const all = worth(clause.terms);
    return all === 0 ? 0 : worth([...clause.terms].filter((term) => terms.has(term))) / all;
  };

  // "No change of rules" denies "a change of rules"; "pulling the image" does not deny "the image cannot be pulled".
  const denies = (clause: Clause) => (one: Clause) =>
    one.isNegated && isOpposed(clause, one, worth);

  return (place, { clauses: observed, texts }) => {
    const { against, preconditions, use, about } = clausesOfEntry(place);
    let worst = { against: 0, words: 0, clause: "" };
    const compare = (clause: Clause, isOpposed: (one: Clause) => boolean) => {
      for (const one of observed) {
        if (!isOpposed(one)) continue;
        const share = coveredShare(clause, one.terms);
        if (share <= worst.against) continue;
        const words = [...clause.terms].filter((term) => one.terms.has(term)).length;
        worst = { against: share, words, clause: clause.text };
      }
    };
    // "Not when the lag is falling" is met by "the lag falls", "no legal hold" is not met by "legal hold until 2028".
    for (const clause of against) {
      compare(clause, (one) => !isOpposed(clause, one, worth));
    }
    for (const clause of preconditions) {
      compare(clause, (one) => isOpposed(clause, one, worth));
    }
    for (const clause of use) compare(clause, denies(clause));
    const supports = use.map((clause) => {
      const agreeing = observed.filter((one) => !denies(clause)(one));
      return measureSupport(clause, agreeing, worth);
    });
    const spokenOf = new Set(
      [...use, ...about, ...preconditions].flatMap(({ terms, concepts }) => [
        ...terms,
        ...concepts,
      ]),
    );
    const unexplained = texts.flatMap(({ text, clauses }) => {
      const terms = clauses.flatMap((one) => [...one.terms]);
      const isUnexplained =
        terms.filter((term) => !startsWithDigit.test(term)).length >= minTerms &&
        /\s/.test(text.trim()) &&
        !clauses.some((one) => [...one.terms, ...one.concepts].some((term) => spokenOf.has(term)));
      return isUnexplained ? [text] : [];
    });
    const contradicted = findContradiction(clausesOfEntry(place), observed, worth);
    return {
      ...worst,
      support: use.length === 0 ? undefined : Math.max(0, ...supports),
      contradicted,
      unexplained,
    };
  };
}

/** Share of a clause that observations meet, in its words or in what its words are about: the larger of the two. */
function measureSupport(clause: Clause, observed: readonly Clause[], worth: WorthOf): number {
  const words = new Set(observed.flatMap(({ terms }) => [...terms]));
  const about = new Set(observed.flatMap(({ concepts }) => [...concepts]));
  const share = (
    ...sets: readonly (readonly [own: ReadonlySet<string>, met: ReadonlySet<string>])[]
  ) => {
    const all = sets.reduce((sum, [own]) => sum + worth(own), 0);
    const met = sets.reduce(
      (sum, [own, other]) => sum + worth([...own].filter((term) => other.has(term))),
      0,
    );
    return all === 0 ? 0 : met / all;
  };
  return Math.max(
    share([clause.terms, words]),
    share([clause.terms, words], [clause.concepts, about]),
  );
}

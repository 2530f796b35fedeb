import type { Workflow } from "../catalog/workflow.js";
import { type Clause, isOpposed, splitClauses } from "./clauses.js";
import { inWords } from "./concepts.js";
import { readDescriptionParts } from "./description-parts.js";
import type { EntryPostings } from "./entry-postings.js";

/** How what was observed compares with what an entry says it is for, and not for. */
export interface Comparison {
  /** Share of one clause of `whenNotToUse` that one observation meets, or of `preconditions` that one denies, 0 to 1. */
  readonly against: number;
  /** Words of that clause that the observation has. */
  readonly words: number;
  /** Share of one clause of `whenToUse` that the observations meet, 0 to 1; undefined: it says nothing of its use. */
  readonly support: number | undefined;
  /** The clause against it; blank where none is met. */
  readonly clause: string;
  /** The clause of `whenNotToUse` that an observation meets in what the entry is not for as well. */
  readonly excluded: string | undefined;
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

/** Sum of the rarity of words in the catalog. */
type WorthOf = (terms: Iterable<string>) => number;

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
/** Share of a clause from which an observation meets it. */
const metShare = 0.5;

/** Prepares the comparison; an entry's clauses are read when it is first compared. */
export function createComparison(
  workflows: readonly Workflow[],
  postings: EntryPostings,
): CompareEntry {
  const read = new Map<number, ReturnType<typeof readEntry>>();
  const entryAt = (place: number) => {
    const found = read.get(place) ?? readEntry(workflows[place]);
    read.set(place, found);
    return found;
  };
  const worth: WorthOf = (terms) => {
    let sum = 0;
    for (const term of terms) sum += postings.worth(term);
    return sum;
  };
  const coveredShare = (terms: readonly string[], met: ReadonlySet<string>) => {
    const all = worth(terms);
    return all === 0 ? 0 : worth(terms.filter((term) => met.has(term))) / all;
  };

  return (place, { clauses: observed, texts }) => {
    const { against, preconditions, use, purpose, spoken } = entryAt(place);
    let worst = { against: 0, words: 0, clause: "" };
    const compare = (clause: Clause, counts: (one: Clause) => boolean) => {
      for (const one of observed) {
        if (!counts(one)) continue;
        const terms = [...clause.terms];
        const share = coveredShare(terms, one.terms);
        if (share <= worst.against) continue;
        const words = terms.filter((term) => one.terms.has(term)).length;
        worst = { against: share, words, clause: clause.text };
      }
    };
    // "Not when the lag is falling" is met by "the lag falls", "no legal hold" is denied by "legal hold until 2028".
    for (const clause of against) compare(clause, (one) => !isOpposed(clause, one, worth));
    for (const clause of preconditions) compare(clause, (one) => isOpposed(clause, one, worth));
    const supports = use.map((clause) => {
      // "No change of rules" denies "a change of rules"; "pulling the image" does not deny "the image cannot be pulled".
      const denies = (one: Clause) => one.isNegated && isOpposed(clause, one, worth);
      return measureSupport(
        clause,
        observed.filter((one) => !denies(one)),
        worth,
      );
    });
    const unexplained = texts.flatMap(({ text, clauses }) => {
      const terms = clauses.flatMap((one) => [...one.terms]);
      const isUnexplained =
        terms.filter((term) => !startsWithDigit.test(term)).length >= minTerms &&
        /\s/.test(text.trim()) &&
        !clauses.some((one) => [...one.terms, ...one.concepts].some((term) => spoken.has(term)));
      return isUnexplained ? [text] : [];
    });
    // What the entry is for as well does not tell the two apart: only "active" does in "the sessions are active".
    const excluded = against.find((clause) => {
      const own = [...clause.terms].filter((term) => !purpose.has(term));
      const counted = own.length > 0 ? own : [...clause.terms];
      return observed.some(
        (one) => !isOpposed(clause, one, worth) && coveredShare(counted, one.terms) >= metShare,
      );
    });
    return {
      ...worst,
      support: use.length === 0 ? undefined : Math.max(0, ...supports),
      excluded: excluded?.text,
      unexplained,
    };
  };
}

/** An entry by its clauses, with the words of what it is for, and of all that it says of that. */
function readEntry(workflow: Workflow | undefined) {
  const parts = workflow && readDescriptionParts(workflow);
  const preconditions = splitClauses(parts?.preconditions);
  const use = splitClauses(parts?.whenToUse);
  const about = splitClauses(`${inWords(workflow?.id ?? "")}. ${parts?.what ?? ""}`);
  return {
    against: splitClauses(parts?.whenNotToUse),
    preconditions,
    use,
    purpose: new Set([...use, ...about].flatMap(({ terms }) => [...terms])),
    spoken: new Set(
      [...use, ...about, ...preconditions].flatMap(({ terms, concepts }) => [
        ...terms,
        ...concepts,
      ]),
    ),
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

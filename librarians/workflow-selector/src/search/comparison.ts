import type { Workflow } from "../catalog/workflow.js";
import { inWords } from "./concepts.js";
import type { EntryPostings } from "./entry-postings.js";
import { isConcept, termsOf } from "./query-terms.js";

/** How what was observed compares with what an entry says it is for, and not for. */
export interface Comparison {
  /** Share of one clause of `whenNotToUse` or `preconditions` that one observation meets, 0 to 1. */
  readonly against: number;
  /** Words of that clause that the observation has. */
  readonly words: number;
  /** Share of one clause of `whenToUse` that the observations meet, 0 to 1. */
  readonly support: number;
  /** The clause against it; blank where none is met. */
  readonly clause: string;
  /** What was observed that shares no word with what the entry is for, one text each. */
  readonly unexplained: readonly string[];
}

/** Compares an entry, by its place, with observations. */
export type CompareEntry = (place: number, observations: readonly string[]) => Comparison;

interface Clause {
  readonly text: string;
  readonly terms: ReadonlySet<string>;
  readonly isNegated: boolean;
}

interface EntryClauses {
  readonly against: readonly Clause[];
  readonly preconditions: readonly Clause[];
  readonly use: readonly Clause[];
  readonly about: readonly Clause[];
}

/** An observation of fewer words is not judged. */
const minTerms = 2;

/** Maximum number of clauses of a text that are compared. */
const maxClauses = 40;

/** Prepares the comparison; an entry's clauses are read when it is first compared. */
export function createComparison(
  workflows: readonly Workflow[],
  postings: EntryPostings,
): CompareEntry {
  const read = new Map<number, EntryClauses>();
  const clausesOfEntry = (place: number): EntryClauses => {
    const { description, id = "" } = workflows[place] ?? {};
    const found = read.get(place) ?? {
      against: clausesOf(description?.whenNotToUse),
      preconditions: clausesOf(description?.preconditions),
      use: clausesOf(description?.whenToUse ?? description?.what),
      about: clausesOf(`${inWords(id)}. ${description?.what ?? ""}`),
    };
    read.set(place, found);
    return found;
  };
  const worth = (terms: Iterable<string>) => {
    let sum = 0;
    for (const term of terms) sum += postings.rarityOf(term);
    return sum;
  };
  const shareOf = (clause: Clause, terms: ReadonlySet<string>) => {
    const all = worth(clause.terms);
    return all === 0 ? 0 : worth([...clause.terms].filter((term) => terms.has(term))) / all;
  };

  return (place, observations) => {
    const { against, preconditions, use, about } = clausesOfEntry(place);
    const observed = observations.flatMap((text) => clausesOf(text));
    let worst = { against: 0, words: 0, clause: "" };
    const compare = (clause: Clause, isOpposed: (one: Clause) => boolean) => {
      for (const one of observed) {
        if (!isOpposed(one)) continue;
        const share = shareOf(clause, one.terms);
        if (share <= worst.against) continue;
        const words = [...clause.terms].filter((term) => one.terms.has(term)).length;
        worst = { against: share, words, clause: clause.text };
      }
    };
    // "Not when the lag is falling" is met by "the lag falls", "no legal hold" is not met by "legal hold until 2028".
    for (const clause of against) {
      compare(clause, (one) => one.isNegated === clause.isNegated);
    }
    for (const clause of preconditions) {
      compare(clause, (one) => one.isNegated !== clause.isNegated);
    }
    for (const clause of use) compare(clause, (one) => denies(one, clause));
    const supports = use.map((clause) => {
      const agreeing = observed.filter((one) => !denies(one, clause));
      return shareOf(clause, new Set(agreeing.flatMap((one) => [...one.terms])));
    });
    const spokenOf = new Set(
      [...use, ...about, ...preconditions].flatMap(({ terms }) => [...terms]),
    );
    const unexplained = observed
      .filter(
        ({ terms }) => terms.size >= minTerms && ![...terms].some((term) => spokenOf.has(term)),
      )
      .map(({ text }) => text);
    return { ...worst, support: Math.max(0, ...supports), unexplained };
  };
}

/** "No change of rules" denies "a change of rules"; "pulling the image" does not deny "the image cannot be pulled". */
function denies(observed: Clause, clause: Clause): boolean {
  return observed.isNegated && !clause.isNegated;
}

function clausesOf(text = ""): readonly Clause[] {
  return text
    .slice(0, 4_000)
    .split(/[.;:,]\s|\b(?:or|and|but|because|while|although|since)\b/i, maxClauses)
    .map((part) => ({
      text: part.trim(),
      terms: new Set([...termsOf(part)].filter((term) => !isConcept(term))),
      isNegated: isOdd(part.match(negation)?.length ?? 0),
    }))
    .filter(({ terms }) => terms.size > 0);
}

const negation = /\b(?:no|not|never|none|nothing|without|cannot|neither|nor)\b|n't\b/gi;

function isOdd(count: number): boolean {
  return count % 2 === 1;
}

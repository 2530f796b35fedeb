import { type Limit, limitsIn, type Quantity, quantitiesIn } from "./quantities.js";
import { isConcept, termsOf } from "./query-terms.js";

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly text: string;
  /** Its words as the analyzer knows them, each once. */
  readonly terms: ReadonlySet<string>;
  /** What its words are about, as `data/concepts.json` names it. */
  readonly concepts: ReadonlySet<string>;
  /** "No change of rules", "the index is missing". */
  readonly isNegated: boolean;
  readonly limits: readonly Limit[];
  readonly quantities: readonly Quantity[];
}

/** Maximum number of characters and of clauses of a text that are compared. */
const maxLength = 4_000;
const maxClauses = 40;

/** Splits a text into clauses, those without a word left out. */
export function clausesOf(text = ""): readonly Clause[] {
  return text
    .slice(0, maxLength)
    .split(/[.;:,]\s|\b(?:or|and|but|because|while|although|since)\b/i, maxClauses)
    .map(clauseOf)
    .filter(({ terms }) => terms.size > 0);
}

function clauseOf(part: string): Clause {
  const all = [...termsOf(part)];
  return {
    text: part.trim(),
    terms: new Set(all.filter((term) => !isConcept(term))),
    concepts: new Set(all.filter(isConcept)),
    isNegated: isOdd(part.match(negation)?.length ?? 0),
    limits: limitsIn(part),
    quantities: quantitiesIn(part),
  };
}

const negation =
  /\b(?:no|not|never|none|nothing|without|cannot|neither|nor|missing|absent|lack|lacks|lacking)\b|n't\b/gi;

function isOdd(count: number): boolean {
  return count % 2 === 1;
}

/*
 * States that exclude each other, whatever they are states of. Two words of one side do not.
 */
const opposites: readonly (readonly [one: string, other: string])[] = [
  ["idle unused inactive", "busy active used in-use"],
  ["free spare available", "used full exhausted unavailable taken"],
  [
    "healthy ready up reachable alive responsive",
    "unhealthy down unreachable dead unresponsive failed broken",
  ],
  ["low small short", "high large long"],
  [
    "grow grows growing rise rises rising increase increases",
    "fall falls falling shrink shrinks shrinking decrease decreases",
  ],
  ["enabled", "disabled"],
  ["fast quick", "slow"],
  ["new newer latest", "old older previous"],
  ["open", "closed"],
  ["same identical unchanged", "different changed"],
  ["internal private", "external public"],
  ["temporary transient", "permanent persistent"],
  ["abandoned gone orphaned unattached", "attached mounted returns"],
  ["valid", "invalid expired corrupt corrupted"],
  ["synchronous", "asynchronous"],
  ["planned intended expected", "unplanned unintended unexpected"],
  ["single one", "many several all every"],
];

const sides: ReadonlyMap<string, ReadonlySet<string>> = readSides();

function readSides() {
  const byTerm = new Map<string, Set<string>>();
  const add = (words: string, others: string) => {
    const opposed = [...termsOf(others)];
    for (const term of termsOf(words)) {
      byTerm.set(term, new Set([...(byTerm.get(term) ?? []), ...opposed]));
    }
  };
  for (const [one, other] of opposites) {
    add(one, other);
    add(other, one);
  }
  return byTerm;
}

/** Words of a clause whose opposite another one has, and which it does not have itself. */
export function opposedTerms(clause: Clause, other: Clause): readonly string[] {
  return [...clause.terms].filter(
    (term) =>
      !other.terms.has(term) && [...(sides.get(term) ?? [])].some((one) => other.terms.has(one)),
  );
}

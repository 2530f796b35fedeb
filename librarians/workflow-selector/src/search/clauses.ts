import { createEntityIndex, readQuestion, type TextRange } from "@constellation/nlu";
import { type Limit, limitsIn, type Quantity, quantitiesIn } from "./quantities.js";
import { isConcept, readTerms } from "./query-terms.js";

/** A part of a sentence that says one thing. */
export interface Clause {
  readonly text: string;
  /** Its words as the analyzer knows them, each once. */
  readonly terms: ReadonlySet<string>;
  /** What its words are about, as `data/concepts.json` names it. */
  readonly concepts: ReadonlySet<string>;
  /** "No change of rules", "the index is missing". */
  readonly isNegated: boolean;
  /** Words that a negation stands before or, where it ends a statement, after. */
  readonly denied: ReadonlySet<string>;
  readonly limits: readonly Limit[];
  readonly quantities: readonly Quantity[];
}

/** Maximum number of characters and of clauses of a text that are compared. */
const maxLength = 4_000;
const maxClauses = 40;

/** Splits a text into clauses, those without a word left out. */
export function splitClauses(text = ""): readonly Clause[] {
  return text
    .slice(0, maxLength)
    .split(/[.;:,]\s|[()—]|\b(?:or|and|but|because|while|although|since|which|that)\b/i, maxClauses)
    .map(readClause)
    .filter(({ terms }) => terms.size > 0);
}

function readClause(part: string): Clause {
  const all = [...readTerms(part)];
  const { clauses, spans } = readQuestion(part, { entities: noEntities });
  const denials = [...clauses.flatMap((one) => one.negations), ...lacksIn(part)];
  return {
    text: part.trim(),
    terms: new Set(all.filter((term) => !isConcept(term))),
    concepts: new Set(all.filter(isConcept)),
    isNegated: denials.length % 2 === 1,
    denied: readTerms(denials.map((one) => deniedBy(one, part)).join(" ")),
    limits: limitsIn(part, spans),
    quantities: quantitiesIn(spans),
  };
}

const noEntities = createEntityIndex([]);

/** "The node lacks memory", "the index is missing": words beside those of grammar that deny what is about them. */
function lacksIn(text: string): readonly TextRange[] {
  return [...text.matchAll(/\b(?:missing|absent|lack(?:s|ing)?)\b/gi)].map(
    ({ 0: word, index }) => ({ start: index + word.length, end: text.length }),
  );
}

/** What is denied; of "not found" and "does not exist", what is before. */
function deniedBy({ start, end }: TextRange, text: string): string {
  const after = text.slice(start, end).trim();
  return after.split(/\s+/).length > 1 ? after : `${text.slice(0, start)} ${after}`;
}

/**
 * Whether one clause denies what another one says: a negation of one of them is about a third or more of the clause.
 *
 * @param worth - How much words count.
 */
export function isOpposed(
  clause: Clause,
  observed: Clause,
  worth: (terms: Iterable<string>) => number,
): boolean {
  if (clause.isNegated === observed.isNegated) return false;
  const [negated, other] = clause.isNegated ? [clause, observed] : [observed, clause];
  const denied = [...negated.denied].filter((term) => other.terms.has(term));
  return denied.length > 0 && worth(denied) >= worth(clause.terms) / 3;
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
    const opposed = [...readTerms(others)];
    for (const term of readTerms(words)) {
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
  return [...clause.terms].filter((term) => {
    if (other.terms.has(term)) return false;
    const opposites = [...(sides.get(term) ?? []), ...byPrefix(term)];
    return opposites.some((one) => other.terms.has(one));
  });
}

/** Prefixes that turn a word into its opposite: "evenly" and "unevenly". */
const negativePrefixes = ["un", "non", "dis", "mis"];

function byPrefix(term: string): readonly string[] {
  return negativePrefixes.flatMap((prefix) =>
    term.startsWith(prefix) ? [prefix + term, term.slice(prefix.length)] : [prefix + term],
  );
}

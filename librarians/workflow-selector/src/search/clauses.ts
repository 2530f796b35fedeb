import { createEntityIndex, readQuestion, type TextRange } from "@constellation/nlu";
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
  const { clauses } = readQuestion(part, { entities: noEntities });
  const denials = [...clauses.flatMap((one) => one.negations), ...lacksIn(part)];
  return {
    text: part.trim(),
    terms: new Set(all.filter((term) => !isConcept(term))),
    concepts: new Set(all.filter(isConcept)),
    isNegated: denials.length % 2 === 1,
    denied: readTerms(denials.map((one) => deniedBy(one, part)).join(" ")),
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

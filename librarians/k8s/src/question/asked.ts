import { isAuxiliary, isFunctionWord, isTellingVerb } from "@constellation/nlu";
import { isAsking, readClauses } from "./asking.js";
import { asksEverything } from "./domain.js";
import { type Lookup, parseLookup, reportsFailure } from "./lookup.js";
import { mayAskProperty } from "./property.js";
import { parseQuestion, type Question } from "./question.js";
import { toWords } from "./words.js";

/** What a query asks to look up, and with which of its words. */
export interface RequestedLookup {
  readonly lookup: Lookup;
  readonly query: string;
}

/** What a query asks. */
export interface RequestedLookups {
  readonly lookups: readonly RequestedLookup[];
  /** True where it asks, beside or instead of these, how something is or why. */
  readonly isDiagnosis: boolean;
  /** True where it may ask for a field by its own name, which only the objects know. */
  readonly mayBeField: boolean;
  /** False for a caller that wants facts, whatever the words compute. */
  readonly isComputable?: boolean;
}

/** Reads each clause of a query for what it asks to look up: `is web ok, and which image does it run?` asks both. */
export function parseLookups(question: Question): RequestedLookups {
  if (asksEverything(question.query) && question.kinds.length === 0) return diagnosisOnly;
  const clauses = readClauses(question.query);
  // "Web crashes: show the logs", as a follow-up is written with what it follows, asks for the logs.
  const order = clauses.length > 1 ? readOrder(clauses.at(-1)?.body ?? "") : undefined;
  if (order !== undefined) return { lookups: [order], isDiagnosis: false, mayBeField: false };
  // "... and when?" asks for no more than what is before it.
  const questions = clauses.filter((one) => isAsking(one) && !isBare(one.body));
  const isOne = clauses.length < 2 || questions.length === 0;
  const [only] = clauses;
  if (isOne) return whole(question, clauses.length === 1 ? only?.body : undefined);
  const saysFailure = clauses.some((one) => !isAsking(one) && reportsFailure(one.body));
  const read = questions.map(({ body }) => ({
    query: body,
    lookup: parseLookup(parseQuestion(body)),
  }));
  const lookups = read.flatMap(({ query, lookup }) =>
    lookup === undefined ? [] : [{ query, lookup }],
  );
  // What is said behind a question explains it, and asks nothing: "What stops web? It ran for months without a change."
  const [first] = clauses;
  const isExplained = first !== undefined && isAsking(first) && questions.length < clauses.length;
  if (lookups.length === 0 && isExplained)
    return { ...diagnosisOnly, mayBeField: questions.some(({ body }) => mayAskProperty(body)) };
  return lookups.length === 0
    ? whole(question)
    : { lookups, isDiagnosis: saysFailure || lookups.length < read.length, mayBeField: false };
}

/** Maximum number of words of an order without a verb: "logs?" */
const maxOrder = 2;

/** What a clause orders to be shown. Undefined for a sentence or a question. */
function readOrder(text: string): RequestedLookup | undefined {
  const words = toWords(text.toLowerCase());
  if (!isTellingVerb(words[0] ?? "") && words.length > maxOrder) return undefined;
  const lookup = parseLookup(parseQuestion(text));
  return lookup === "logs" || lookup === "events" ? { lookup, query: text } : undefined;
}

const diagnosisOnly: RequestedLookups = { lookups: [], isDiagnosis: true, mayBeField: false };

/** @param text - The question without the words before it: `pls`, `hey`. */
function whole(question: Question, text: string = question.query): RequestedLookups {
  const lookup = parseLookup(text === question.query ? question : parseQuestion(text));
  return lookup === undefined
    ? { lookups: [], isDiagnosis: true, mayBeField: mayAskProperty(text) }
    : { lookups: [{ lookup, query: text }], isDiagnosis: false, mayBeField: false };
}

/** True for a question word alone, as in "and how often?" */
function isBare(text: string): boolean {
  return toWords(text.toLowerCase()).every(
    (word) => (isFunctionWord(word) || word === "often") && !isAuxiliary(word),
  );
}

import { readQuestion } from "../read-question.js";
import type { Clause, Negation, Reading } from "../reading.js";
import { isNumberWord } from "../spans/find-spans.js";
import { rankOf } from "../text/common-words.js";
import { type Token, toParts, toSingulars, toTokens } from "../text/tokens.js";
import { findCourtesy, isPastForm, tellsPast } from "./clause-form.js";
import {
  articles,
  courtesies,
  isAuxiliary,
  isEventNoun,
  isFunctionWord,
  isPlea,
  openQuestionWords,
  prepositions,
  withdrawals,
} from "./function-words.js";

/** Somebody who can be ordered to do something. A librarian's description is one. */
export interface Orderable {
  /** What it does: a verb, maybe with a particle and what it is done to: `refund`, `roll back`, `cancel order`. */
  readonly acts?: readonly string[] | undefined;
  readonly description?: string | undefined;
  readonly examples?: readonly string[] | undefined;
}

/** A clause that orders an act. */
export interface PlainOrder {
  readonly clause: Clause;
  /** The act as it was given: `refund`, `roll back`. */
  readonly act: string;
  /** The clause names what the act is done to; not where it has a pronoun, an id or a related word for it. */
  readonly isNamed: boolean;
}

/**
 * Finds the clause that plainly orders an act of somebody: it begins with the act, in the present, about one definite
 * thing, and is neither denied, weighed, supposed, a question, taken back, somebody else's words nor about all there
 * is. "Can you refund order 1001?" is one; "should we refund it?", "was it refunded?", "refund rate in May" and "refund
 * every order" are none.
 *
 * @returns The first order that names what the act is done to, else the first one. `undefined` without `acts`.
 */
export function findOrder(text: string, somebody: Orderable): PlainOrder | undefined {
  const orders = findOrders(text, somebody);
  return orders.find(({ isNamed }) => isNamed) ?? orders[0];
}

/** Finds all such clauses, in order: see {@link findOrder}. */
export function findOrders(text: string, somebody: Orderable): readonly PlainOrder[] {
  const { acts = [] } = somebody;
  if (acts.length === 0) return [];
  const read = acts.map(readAct);
  const reading = readQuestion(text, { verbs: new Set(read.map(({ verb }) => verb)) });
  const known = readKnownWords(somebody);
  return reading.clauses.flatMap((clause, at) =>
    isPlainOrder(reading, at) ? (readOrder(clause, read, known) ?? []) : [],
  );
}

/** Words that may belong to any verb, and begin no time or place. */
const verbParticles = new Set(["out", "off", "up", "back", "down", "away"]);

interface ActForm {
  readonly act: string;
  readonly verb: string;
  /** `back` of `roll back`. */
  readonly particles: readonly string[];
  /** `order` of `cancel order`. */
  readonly objects: readonly string[];
}

function readAct(act: string): ActForm {
  const [verb = "", ...rest] = toParts(act);
  const isParticle = (word: string) => isFunctionWord(word);
  return {
    act,
    verb,
    particles: rest.filter(isParticle),
    objects: rest.filter((word) => !isParticle(word)),
  };
}

function isPlainOrder({ clauses, text }: Reading, at: number): boolean {
  const clause = clauses[at];
  if (clause === undefined) return false;
  const isInSentence = (end: number, next: Clause) =>
    !/[.!?\n]\s*$/.test(text.slice(end - 1, next.start));
  const later = clauses.slice(at + 1);
  return (
    clause.negations.every((one) => isReason(one, text)) &&
    !clause.isModal &&
    !clause.isHypothetical &&
    !isPastAtHead(clause) &&
    !clause.isQuoted &&
    !clause.isAboutAll &&
    (clause.isRequest || !clause.isQuestion) &&
    !isTitled(text, clauses, at) &&
    !isJoinedToDenied(text, clauses[at - 1], clause) &&
    (!/^\s*:/.test(text.slice(clause.end)) || isDetail(clause, later[0])) &&
    // "Refund 1001 or 1002" and "refund it, or not"; "mow it, dry or wet" says how.
    !/^[^,]*\bor\b|,\s*or\b/i.test(clause.text + text.slice(clause.end, later[0]?.start)) &&
    !later.some((next) => withdraws(next.text)) &&
    !(later[0]?.isQuestion === true && !later[0].isRequest && isInSentence(clause.end, later[0]))
  );
}

/** "I am not asking to relist or pull it", "refund it or cancel it": denied with what is before it, or one of two. */
function isJoinedToDenied(text: string, before: Clause | undefined, { start }: Clause): boolean {
  const [, joint] = /^\s*(and|or|nor)\b/i.exec(text.slice(before?.end ?? start, start)) ?? [];
  if (before === undefined || joint === undefined) return false;
  return joint.toLowerCase() !== "and" || before.negations.length > 0;
}

/** What stands behind a comma or "until" may be past: "reject it, no paper was sent". */
function isPastAtHead({ text, head }: Clause): boolean {
  const [main = ""] = text.split(/,|\s(?:until|till)\s/, 1);
  return isPastForm(head) || tellsPast(toTokens(main));
}

/** "The ticket: refund it", but not "Order 5092: refund it", which says what it is done to. */
function isTitled(text: string, clauses: readonly Clause[], at: number): boolean {
  const [before, clause] = [clauses[at - 1], clauses[at]];
  if (clause === undefined || !/:\s*$/.test(text.slice(before?.end ?? 0, clause.start)))
    return false;
  const tokens = toTokens(clause.text);
  const object = tokens[tokens.findIndex(({ lower }) => lower === clause.head) + 1];
  const isNamed = /\d/.test(before?.text ?? "") && /^(?:it|them)$/.test(object?.lower ?? "");
  return !isNamed || clauses.some(({ isQuestion }) => isQuestion);
}

/** "No", "not yet" and "never mind" take an order back; "no paper was sent", "not posted yet" and "sorry, 1002" do not. */
function withdraws(text: string): boolean {
  const [first, second, ...rest] = toTokens(text);
  if (first === undefined || !withdrawals.has(first.lower)) return false;
  if (second !== undefined && isIdentifying(second)) return false;
  if (first.lower === "no") return [second, ...rest].every((one) => isEmptyWord(one));
  return first.lower !== "not" || !isParticiple(second);
}

function isEmptyWord(token: Token | undefined): boolean {
  return token === undefined || isFunctionWord(token.lower) || withdrawals.has(token.lower);
}

/** "..., no minimum wage statement": nothing of the order is denied. */
function isReason({ cue, start, end }: Negation, text: string): boolean {
  const before = text.slice(0, start);
  const denied = text.slice(start, end);
  return cue === "no" && /(?:,|\band)\s(?:now\s)?no\s$/i.test(before) && !withdraws(`no ${denied}`);
}

/**
 * "Open a ticket: the door sticks", "answer letter 640: it is on in February" and "Amend 20471: add a garden", but not "Refund 1001: what is its state" or "Refund 1001: late".
 */
function isDetail(order: Clause, behind: Clause | undefined): boolean {
  if (isList(behind)) return true;
  const tokens = toTokens(order.text);
  const [first, second] = tokens.slice(tokens.findIndex(({ lower }) => lower === order.head) + 1);
  const object = first?.lower ?? "";
  const isNumbered = second !== undefined && isIdentifying(second) && !isEventNoun(object);
  const isThing = articles.has(object) || /^(?:it|them)$/.test(object) || isNumbered;
  return behind?.isQuestion === false && (isThing || behind.act === "order");
}

/** "...: 4021001 and 4021044". */
function isList(clause: Clause | undefined): boolean {
  const tokens = toTokens(clause?.text ?? "");
  return tokens.every((token) => token.lower === "and" || isIdentifying(token));
}

function readOrder(
  clause: Clause,
  acts: readonly ActForm[],
  known: ReadonlySet<string>,
): PlainOrder | undefined {
  const tokens = toTokens(clause.text);
  const head = tokens.findIndex(({ lower }) => lower === clause.head);
  const rest = tokens.slice(head + 1).filter(({ lower }) => !courtesies.has(lower));
  const fitting = acts.filter(
    ({ verb, particles }) =>
      verb === clause.head &&
      particles.every((one) => rest.slice(0, 5).some(({ lower }) => lower === one)),
  );
  const names = ({ objects, particles }: ActForm) => {
    const object = directObject(rest, particles);
    return objects.every((one) =>
      object.some(({ lower }) => includesForm(lower, (form) => form === one)),
    );
  };
  const named = fitting.find(names);
  const best = named ?? fitting[0];
  if (best === undefined) return undefined;
  if (asksForDetail(clause.text)) return undefined;
  const own = toCore(clause, tokens, head)
    .slice(head + 1)
    .filter(({ lower }) => !courtesies.has(lower) && !best.particles.includes(lower));
  // "Pay out the credit": a particle of the verb that the act does not have.
  const object = verbParticles.has(own[0]?.lower ?? "") ? own.slice(1) : own;
  if (!isDefinite(object, clause, best, known)) return undefined;
  if (named === undefined && !refersTo(directObject(object), known)) return undefined;
  return { clause, act: best.act, isNamed: named !== undefined };
}

/** "Order 3102, state of things" asks for its state; "refund 3102, amount 40 EUR" gives one. */
function asksForDetail(text: string): boolean {
  const [, detail = ""] = text.split(",", 2);
  const [noun, next] = toTokens(detail);
  if (noun === undefined || !isEventNoun(noun.lower)) return false;
  return next === undefined || prepositions.has(next.lower);
}

/** The order itself: its words up to what stands behind a comma or "until", or to a courtesy such as "if you can". */
function toCore({ text }: Clause, tokens: readonly Token[], head: number): readonly Token[] {
  const courtesy = findCourtesy(tokens, text, head)?.first ?? tokens.length;
  const comma = text.indexOf(",", tokens[head + 1]?.end);
  const own = tokens.slice(0, courtesy).filter(({ start }) => comma < 0 || start < comma);
  const until = own.findIndex(({ lower }) => /^(?:until|till)$/.test(lower));
  return until < 0 ? own : own.slice(0, until);
}

/** Words up to the first preposition: "the newsletter" of "the newsletter to the list". */
function directObject(rest: readonly Token[], particles: readonly string[] = []): readonly Token[] {
  const object = rest.filter(({ lower }) => !particles.includes(lower));
  const end = object.findIndex(({ lower }) => prepositions.has(lower));
  return end < 0 ? object : object.slice(0, end);
}

/**
 * Whether words behind a verb are one thing that it is done to, and not a noun that makes a noun of the verb ("ship date"),
 * nor the rest of a sentence whose subject it is ("refund 1001 is late").
 */
function isDefinite(
  rest: readonly Token[],
  clause: Clause,
  { objects }: ActForm,
  known: ReadonlySet<string>,
): boolean {
  const [first, second] = rest;
  const isPlease = toTokens(clause.text).some(({ lower }) => isPlea(lower));
  if (first === undefined || rest.some(isOfSentence)) return false;
  if (!isPlease && isParticiple(rest.at(-1))) return false; // "refund 1001 rejected"
  const { lower } = first;
  const isSpecific = rest.some(isSpecificToken);
  if (/["“]$/.test(clause.text.slice(0, first.start - clause.start))) return true;
  if (!articles.has(lower) && isPropertyOf(directObject(rest))) return false;
  if (lower === "a" || lower === "an") return isSpecific || !clause.isQuestion || isPlease;
  if (lower === "some" && second !== undefined) return isPlease || !clause.isQuestion;
  // "Please return log book 1988.5", but not "please, refund status 4474".
  const id = rest.findIndex(isIdentifying);
  if (isPlease && id > 1 && !isEventNoun(rest[id - 1]?.lower ?? "")) return true;
  // "Credit 6018 status": the id belongs to the noun behind it.
  if (isSpecificToken(first)) return second === undefined || !isEventNoun(second.lower);
  if (articles.has(lower) || /^(?:it|them)$/.test(lower)) return true;
  if (/^['’]s\b/.test(clause.text.slice(first.end))) return true; // "nordlicht's charge"
  if (/^(?:him|her|me|us)$/.test(lower)) return rest.length > 1;
  if (isFunctionWord(lower)) return false;
  // "Stop billing" and "refund pending" name no thing; "cancel booking 4478" does.
  const isKnown = includesForm(lower, (form) => known.has(form));
  if (lower.endsWith("ing") && !isKnown) return false;
  if (includesForm(lower, (form) => objects.includes(form)))
    return (
      second !== undefined &&
      (isSpecificToken(second) || (isSpecific && isFunctionWord(second.lower) && !isPlural(lower)))
    );
  if (isEventNoun(lower)) return false;
  if (isPlural(lower)) return second !== undefined && isIdentifying(second); // "groom runs 2 and 4"
  if (second?.lower === "of") return isKnown && clause.isRequest;
  if (second !== undefined && isEventNoun(second.lower)) return false;
  // "Scrap certificate 101" may be a certificate: nothing shows that the first word is a verb.
  const isName = rankOf(lower) === undefined;
  if (rest.length === 2 && !isKnown && !isName && !clause.isRequest) return false;
  const isNumbered = second !== undefined && isSpecificToken(second);
  // "Please unblock dunaj" and "revert thumbnailer to the last tag": a word that English does not have names something.
  const isFollowed =
    second !== undefined && (prepositions.has(second.lower) || articles.has(second.lower));
  return isNumbered || isKnown || (isName && (clause.isRequest || isFollowed));
}

/** "Bus 2 reason", "order 6018 status", but not "bus 2 hours": the last word is a property of what is named before it. */
function isPropertyOf(object: readonly Token[]): boolean {
  const last = object.at(-1);
  if (last === undefined || !isEventNoun(last.lower) || isPlural(last.lower)) return false;
  return object.slice(0, -1).some(isIdentifying);
}

/** A word of a whole sentence, which an order does not have: "is", "when", "we". */
function isOfSentence({ lower, text }: Token, at: number, rest: readonly Token[]): boolean {
  if (text === "I" && /^\p{Lu}/u.test(rest[at - 1]?.text ?? "")) return false; // "Statistics I"
  const isTime = lower === "am" || text === "May"; // "9 am", "31 May"
  return (
    (isAuxiliary(lower) && !isTime) ||
    openQuestionWords.has(lower) ||
    /^(?:i|we|he|she|they)$/.test(lower)
  );
}

function isParticiple(token: Token | undefined): boolean {
  return token !== undefined && token.lower.length > 4 && /[^e]ed$/.test(token.lower);
}

function includesForm(lower: string, has: (form: string) => boolean): boolean {
  return [lower, ...toSingulars(lower)].some(has);
}

function isPlural(lower: string): boolean {
  return lower.endsWith("s") && !/(?:ss|us|is)$/.test(lower);
}

/** A number, an address, an id or a name. */
function isSpecificToken(token: Token): boolean {
  return isIdentifying(token) || /^\p{Lu}/u.test(token.text);
}

function isIdentifying({ text, lower }: Token): boolean {
  return /[\d@_-]/.test(text) || (lower !== "a" && lower !== "an" && isNumberWord(lower));
}

/** Whether an object that has another name than in the act may be the same: "it", an id, a word of the descriptions. */
function refersTo(rest: readonly Token[], known: ReadonlySet<string>): boolean {
  const [first] = rest;
  if (first === undefined) return false;
  if (/^(?:it|them)$/.test(first.lower) || isIdentifying(first)) return true;
  return rest.some(({ lower }) =>
    includesForm(lower, (form) => known.has(form) && !isEventNoun(form)),
  );
}

/** Words of a description, of its examples and of what its acts are done to. */
function readKnownWords({ acts = [], description = "", examples = [] }: Orderable) {
  const texts = [...acts.map((act) => act.replace(/^\S+/, "")), description, ...examples];
  const words = texts.flatMap((text) => toTokens(text).map(({ lower }) => lower));
  return new Set(
    words.filter((word) => !isFunctionWord(word)).flatMap((word) => [word, ...toSingulars(word)]),
  );
}

import { readFileSync } from "node:fs";
import {
  createLinearModel,
  type Feature,
  type LinearModel,
  type LinearModelData,
} from "../model/linear-model.js";
import { readQuestion } from "../read-question.js";
import type { Clause, Negation, Reading } from "../reading.js";
import { type Token, toParts, toSingulars, toTokens } from "../text/tokens.js";
import { findCourtesy, isPastForm, tellsPast } from "./clause-form.js";
import {
  articles,
  courtesies,
  isAuxiliary,
  isEventNoun,
  isFunctionWord,
  openQuestionWords,
  prepositions,
  withdrawals,
} from "./function-words.js";
import {
  type ActWords,
  isNumbered,
  isParticiple,
  isPlural,
  kindOfWord,
  readOrderSigns,
  specificKinds,
} from "./order-signs.js";

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
  return findOrderLike(text, somebody).filter(({ isPossible, signs }) => {
    if (!isPossible) return false;
    model ??= createLinearModel(JSON.parse(data) as LinearModelData);
    const [best] = model.predict(signs);
    return best?.label === orderLabel && best.probability >= minProbability;
  });
}

/** Fitted by `npm run fit-orders`. */
const data = readFileSync(new URL("../../data/orders.json", import.meta.url), "utf8");
let model: LinearModel | undefined;
export const orderLabel = "order";
/** Minimum probability of an order: what is wrongly done costs more than what is only offered. */
const minProbability = 0.5;

/** A clause that begins with the verb of an act, as an order of it does. */
export interface OrderLike extends PlainOrder {
  /** Nothing in its form excludes an order. */
  readonly isPossible: boolean;
  /** What shows whether it is one. */
  readonly signs: readonly Feature[];
}

/** Finds the clauses that begin with the verb of an act, in order. */
export function findOrderLike(text: string, somebody: Orderable): readonly OrderLike[] {
  const { acts = [] } = somebody;
  if (acts.length === 0) return [];
  const read = acts.map(readAct);
  const reading = readQuestion(text, { verbs: new Set(read.map(({ verb }) => verb)) });
  const known = readKnownWords(somebody);
  return reading.clauses.flatMap((_, at) => readOrder(reading, at, read, known) ?? []);
}

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

/** Whether a clause can order something by its form: it is not denied, weighed, supposed, past, quoted or about all. */
function isOrderForm(clause: Clause, text: string): boolean {
  return (
    clause.negations.every((one) => isReason(one, text)) &&
    !clause.isModal &&
    !clause.isHypothetical &&
    !isPastAtHead(clause) &&
    !clause.isQuoted &&
    !clause.isAboutAll &&
    (clause.isRequest || !clause.isQuestion)
  );
}

/** Whether what comes behind a clause leaves it an order: no choice, no question in the same sentence, no withdrawal. */
function isLeftStanding({ clauses, text }: Reading, at: number): boolean {
  const [clause, next] = [clauses[at], clauses[at + 1]];
  if (clause === undefined) return false;
  const isAsked =
    next?.isQuestion === true &&
    !next.isRequest &&
    !/[.!?\n]\s*$/.test(text.slice(clause.end - 1, next.start));
  return (
    !isAsked &&
    !isJoinedToDenied(text, clauses[at - 1], clause) &&
    // "Refund 1001 or 1002" and "refund it, or not"; "mow it, dry or wet" says how.
    !/^[^,]*\bor\b|,\s*or\b/i.test(clause.text + text.slice(clause.end, next?.start)) &&
    !clauses.slice(at + 1).some((later) => withdraws(later.text))
  );
}

/** Whether what stands around a clause speaks against an order. */
function isInContext({ clauses, text }: Reading, at: number): boolean {
  const clause = clauses[at];
  if (clause === undefined) return false;
  return (
    isTitled(text, clauses, at) ||
    (/^\s*:/.test(text.slice(clause.end)) && !isDetail(clause, clauses[at + 1]))
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
  reading: Reading,
  at: number,
  acts: readonly ActForm[],
  known: ReadonlySet<string>,
): OrderLike | undefined {
  const clause = reading.clauses[at];
  if (clause === undefined) return undefined;
  const tokens = toTokens(clause.text);
  const head = tokens.findIndex(({ lower }) => lower === clause.head);
  const rest = tokens.slice(head + 1);
  const fitting = acts.filter(
    ({ verb, particles }) =>
      verb === clause.head &&
      particles.every((one) => rest.slice(0, 5).some(({ lower }) => lower === one)),
  );
  const plain = rest.filter(({ lower }) => !courtesies.has(lower));
  const named = fitting.find(({ objects, particles }) => {
    const object = directObject(plain, particles);
    return objects.every((one) =>
      object.some(({ lower }) => lower === one || toSingulars(lower).includes(one)),
    );
  });
  const best = named ?? fitting[0];
  if (best === undefined) return undefined;
  const words = {
    particles: new Set(fitting.flatMap(({ particles }) => particles)),
    objects: new Set(fitting.flatMap(({ objects }) => objects)),
    known,
  };
  const object = toCore(clause, tokens, head).slice(head + 1);
  return {
    clause,
    act: best.act,
    isNamed: named !== undefined,
    isPossible:
      isOrderForm(clause, reading.text) &&
      isLeftStanding(reading, at) &&
      isObject(object, clause, words) &&
      !asksForDetail(clause.text + reading.text.slice(clause.end, reading.clauses[at + 1]?.end)),
    signs: [
      ...readOrderSigns(reading, at, tokens, head, words),
      [`context-${isInContext(reading, at)}`, 1],
    ],
  };
}

/** Whether words behind a verb may be what is done to: "refund why", "refund 1001 status" and "stop billing" ask or name. */
function isObject(object: readonly Token[], clause: Clause, words: ActWords): boolean {
  const [first] = object;
  const kinds = object.map((token) => kindOfWord(token, words));
  return (
    kinds[0] !== "<doing>" &&
    !object.some(isOfSentence) &&
    (articles.has(first?.lower ?? "") || !isPropertyOf(directObject(object))) &&
    (!clause.isQuestion ||
      kinds.some((kind, at) => pointers.has(kind) || isOne(kind, kinds[at - 1])))
  );
}

/** "Can you ship pistols to a home?" asks whether that is done at all; "the pistols", "it" and "order 1001" are one thing. */
function isOne(kind: string, before = ""): boolean {
  return specificKinds.has(kind) && (kind !== "<rare>" || !/^an?$/.test(before));
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

/** Words that point at one thing. */
const pointers = new Set(
  "the this that these those my our his her their its him it them".split(" "),
);

/** "Order 3102, state of things" asks for its state; "refund 3102, amount 40 EUR" gives one. */
function asksForDetail(text: string): boolean {
  const [, detail = ""] = text.split(/[,:]/, 2);
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

/** "Bus 2 reason", "order 6018 status", but not "bus 2 hours": the last word is a property of what is named before it. */
function isPropertyOf(object: readonly Token[]): boolean {
  const last = object.at(-1);
  if (last === undefined || !isEventNoun(last.lower) || isPlural(last.lower)) return false;
  return object.slice(0, -1).some(isIdentifying);
}

/** A number, an address, an id, or a name with a joint. */
function isIdentifying(token: Token): boolean {
  return token.text.includes("-") || isNumbered(token);
}

/** Words of a description, of its examples and of what its acts are done to. */
function readKnownWords({ acts = [], description = "", examples = [] }: Orderable) {
  const texts = [...acts.map((act) => act.replace(/^\S+/, "")), description, ...examples];
  const words = texts.flatMap((text) => toTokens(text).map(({ lower }) => lower));
  return new Set(
    words.filter((word) => !isFunctionWord(word)).flatMap((word) => [word, ...toSingulars(word)]),
  );
}

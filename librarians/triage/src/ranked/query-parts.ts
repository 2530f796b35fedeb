import {
  type Clause,
  isTellingVerb,
  type Reading,
  readContentWords,
  readQuestion,
  withoutDeniedOrders,
} from "@constellation/nlu";

/** A part of a query that asks or orders one thing. */
export interface QueryPart {
  /** What it asks, the first one with the introduction: what librarians are compared with. */
  readonly text: string;
  /** Its clause that asks or orders, without the statements before it. */
  readonly asked: string;
  /** As written, as a sentence. */
  readonly sentence: string;
  /** The sentence before it, where it refers back to that. */
  readonly before: string | undefined;
}

/** A query, read. */
export interface ReadQuery {
  /** At least one. */
  readonly parts: readonly QueryPart[];
  /** The introduction before the first part: it belongs to all of them. */
  readonly preamble: string;
  /** What is asked, without what is quoted or only denied. */
  readonly text: string;
  /** It has an "and", or two question marks. */
  readonly isJoined: boolean;
  /** It has two or more question words. */
  readonly asksTwice: boolean;
}

/** Maximum number of parts; the last one has the rest. */
const maxParts = 6;

/**
 * Divides a query into what it asks. Clauses that only tell something belong to the part behind them; quotations, and
 * clauses that only say what is not wanted, to none.
 *
 * @param verbs - Verbs in lower case that order something here.
 */
export function readParts(query: string, verbs: ReadonlySet<string>): ReadQuery {
  const reading = readQuestion(query, { verbs });
  const wanted = reading.clauses.filter((clause) => !isUnwanted(clause));
  const clauses = wanted.length > 0 ? wanted : reading.clauses;
  const groups: Clause[][] = [];
  let told: Clause[] = [];
  for (const clause of clauses) {
    told.push(clause);
    if (!asks(clause, verbs) || groups.length >= maxParts) continue;
    groups.push(told);
    told = [];
  }
  if (groups.length === 0) groups.push(told);
  else groups.at(-1)?.push(...told);
  const first = groups[0] ?? [];
  const begun = first.findIndex((clause) => asks(clause, verbs));
  const preamble = groups.length > 1 ? first.splice(0, Math.max(0, begun)) : [];
  const texts = groups.map((group) => joinClauses(reading, group));
  const told0 = joinClauses(reading, preamble);
  const asked = clauses.map(({ text }) => text).join(" ");
  const permitted = withoutDeniedOrders(query); // with the name of what it refers to
  return {
    text: permitted !== query && pointsBack(asked) ? permitted : asked,
    isJoined: /\band\b/i.test(query) || query.indexOf("?") !== query.lastIndexOf("?"),
    asksTwice: (query.match(questionWords)?.length ?? 0) > 1,
    preamble: told0 === "" ? "" : toSentence(told0, false),
    parts: groups.map((group, at) => {
      const text = texts[at] ?? "";
      const isBack = at > 0 && pointsBack(text);
      const before = isBack ? texts[at - 1] : undefined;
      return {
        text: at === 0 ? `${told0} ${text}`.trim() : text,
        asked: group.find((clause) => asks(clause, verbs))?.text ?? text,
        sentence: toSentence(text, group.at(-1)?.isQuestion === true),
        before:
          before === undefined
            ? undefined
            : toSentence(before, groups[at - 1]?.at(-1)?.isQuestion === true),
      };
    }),
  };
}

const questionWords = /\b(?:who|what|when|where|which|how|why)\b/gi;

/** Minimum number of words that say something of a short question that is whole: what is done, and to what. */
const minWholeWords = 2;
/** Number of words up to which a query may be a follow-up that nothing shows to be one: "only the urgent ones". */
const maxEllipticWords = 6;

/** How a query may lack what was said before: it refers back to that, or is so short that it may be a rest of it. */
export function readEllipsis(query: string): "refers" | "short" | undefined {
  const reading = readQuestion(query);
  if (reading.refersBack || pointsBack(reading.text)) return "refers";
  const words = query.trim().split(/\s+/, maxEllipticWords + 1);
  const [clause] = reading.clauses;
  const isWhole =
    (clause?.isQuestion === true || clause?.act === "order") &&
    readContentWords(query).length >= minWholeWords;
  return words.length <= maxEllipticWords && !isWhole ? "short" : undefined;
}

function asks({ isQuestion, isRequest, isModal, act, head }: Clause, verbs: ReadonlySet<string>) {
  if (isQuestion || isRequest || act === "why" || act === "how-to") return true;
  return isTellingVerb(head) || verbs.has(head) || (act === "order" && !isModal);
}

function isUnwanted({ isQuoted, isQuestion, negations, act, text, start }: Clause): boolean {
  if (isQuestion) return false;
  // What is denied behind a comma is a reason: "reject it, no paper was sent".
  const isDenied = negations.some((one) => !text.slice(0, one.start - start).includes(","));
  return (
    isQuoted || (isDenied && act === "order") || (negations.length > 0 && beginsDenied.test(text))
  );
}

const beginsDenied = /^(?:please\s)?(?:not|no|never|don't|dont|do not)\b/i;

/** As written, from the first to the last. */
function joinClauses({ text }: Reading, clauses: readonly Clause[]): string {
  const [first, last] = [clauses[0], clauses.at(-1)];
  return first === undefined || last === undefined ? "" : text.slice(first.start, last.end).trim();
}

function pointsBack(text: string): boolean {
  return /\b(?:it|its|this|these|those|they|them|their|there|he|she|his|her)\b/i.test(text);
}

/** The query for a delegate: the introduction, and its parts. */
export function refineQuery(
  { parts, preamble }: ReadQuery,
  own: (place: number) => boolean,
): string {
  const texts = preamble === "" ? [] : [preamble];
  for (const [place, { sentence, before }] of parts.entries()) {
    if (!own(place)) continue;
    if (before !== undefined && !own(place - 1)) texts.push(before);
    texts.push(sentence);
  }
  return texts.join(" ");
}

/** Makes a clause a sentence: with a capital letter and an end mark. */
function toSentence(text: string, isQuestion: boolean): string {
  const begun = text.trim().replace(/^\p{Ll}(?=\p{Ll}*\s)/u, (letter) => letter.toUpperCase());
  return /[.?!]$/.test(begun) ? begun : `${begun}${isQuestion ? "?" : "."}`;
}

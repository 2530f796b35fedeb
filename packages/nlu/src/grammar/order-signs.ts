import type { Feature } from "../model/linear-model.js";
import type { Clause, Reading } from "../reading.js";
import { isNumberWord } from "../spans/find-spans.js";
import { rankOf } from "../text/common-words.js";
import { type Token, toSingulars } from "../text/tokens.js";
import { isEventNoun, isFunctionWord } from "./function-words.js";

/** What somebody's acts say of the words of a clause that begins with the verb of one. */
export interface ActWords {
  /** `back` of `roll back`. */
  readonly particles: ReadonlySet<string>;
  /** `order` of `cancel order`. */
  readonly objects: ReadonlySet<string>;
  /** Words of the descriptions. */
  readonly known: ReadonlySet<string>;
}

/** Longest run of words. */
const maxRun = 3;
/** Kinds of words that name one thing. */
export const specificKinds: ReadonlySet<string> = new Set(["<id>", "<name>", "<rare>"]);

/**
 * What shows whether a clause orders an act: its words by their kinds, the marks between them, what stands before and behind
 * it, and its form.
 *
 * @param head - Place of the act's verb among the tokens.
 */
export function readOrderSigns(
  { clauses, text }: Reading,
  at: number,
  tokens: readonly Token[],
  head: number,
  words: ActWords,
): readonly Feature[] {
  const clause = clauses[at];
  if (clause === undefined) return [];
  const own = tokens.flatMap((token, place) => [
    ...marksIn(clause.text, tokens[place - 1]?.end ?? token.start - clause.start, token.start),
    place === head ? "<verb>" : kindOfWord(token, words),
  ]);
  const pieces = [
    ...readBefore(text, clauses[at - 1], clause),
    ...own,
    ...marksIn(clause.text, tokens.at(-1)?.end ?? 0, clause.text.length),
    ...readBehind(text, clause, clauses[at + 1]),
  ];
  const specific = `specific-${own.some((piece) => specificKinds.has(piece))}`;
  // "Mail from Ann: refund it. Was that done?"
  const later = `asked-${clauses.slice(at + 1).some((one) => one.isQuestion && !one.isRequest)}`;
  const names = new Set([
    specific,
    later,
    ...formsOf(clause).flatMap((one) => [one, one + specific]),
  ]);
  for (let length = 1; length <= maxRun; length++)
    for (let from = 0; from + length <= pieces.length; from++)
      names.add(pieces.slice(from, from + length).join(" "));
  return Array.from(names, (name) => [name, 1] as const);
}

/** The kind of a word; words of grammar are themselves. */
export function kindOfWord(token: Token, { particles, objects, known }: ActWords): string {
  const { text, lower } = token;
  if (particles.has(lower)) return "<particle>";
  if (isNumbered(token)) return "<id>";
  if (isFunctionWord(lower)) return lower;
  const forms = [lower, ...toSingulars(lower)];
  const ending = isPlural(lower) ? "s" : "";
  if (forms.some((form) => objects.has(form))) return `<object${ending}>`;
  if (/^\p{Lu}/u.test(text)) return "<name>";
  if (isEventNoun(lower)) return "<event>";
  if (forms.some((form) => known.has(form))) return `<known${ending}>`;
  if (lower.endsWith("ing")) return "<doing>";
  if (rankOf(lower) === undefined) return `<rare${ending}>`;
  return isParticiple(token) ? "<done>" : `<word${ending}>`;
}

/** A number, an address or an id. */
export function isNumbered({ text, lower }: Token): boolean {
  return /[\d@_]/.test(text) || (lower !== "a" && lower !== "an" && isNumberWord(lower));
}

export function isParticiple(token: Token | undefined): boolean {
  return token !== undefined && token.lower.length > 4 && /[^e]ed$/.test(token.lower);
}

export function isPlural(lower: string): boolean {
  return lower.endsWith("s") && !/(?:ss|us|is)$/.test(lower);
}

function marksIn(text: string, start: number, end: number): readonly string[] {
  return text.slice(start, end).match(/[?!.,:;"“”(–—]/g) ?? [];
}

function readBefore(text: string, before: Clause | undefined, { start }: Clause) {
  if (before === undefined) return ["^"];
  const { act, negations } = before;
  return [
    `before-${act}${negations.length > 0 ? "-denied" : ""}`,
    `before ${firstIn(text.slice(before.end - 1, start))}`,
  ];
}

function readBehind(text: string, { end }: Clause, behind: Clause | undefined) {
  if (behind === undefined) return ["$"];
  return [
    `behind ${firstIn(text.slice(end, behind.start))}`,
    `behind-${behind.act}`,
    `behind ${firstIn(behind.text)}`,
  ];
}

/** The first word or mark of a text, in lower case. */
function firstIn(text: string): string {
  return /[\p{L}\p{N}']+|[^\s\p{L}\p{N}]/u.exec(text.toLowerCase())?.[0] ?? "";
}

function formsOf(clause: Clause): readonly string[] {
  const { act, isQuestion, isRequest, isModal, isHypothetical, isPast, isQuoted, isAboutAll } =
    clause;
  const isDenied = clause.negations.length > 0;
  const forms = { isQuestion, isRequest, isModal, isHypothetical, isPast, isQuoted, isAboutAll };
  const own = Object.entries({ ...forms, isDenied }).flatMap(([name, is]) => (is ? [name] : []));
  return [`act-${act}`, ...own];
}

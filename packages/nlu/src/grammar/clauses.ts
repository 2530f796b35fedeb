import type { Clause } from "../reading.js";
import type { Span } from "../spans/span.js";
import type { TextRange, Token } from "../text/tokens.js";
import { readAct } from "./act.js";
import {
  findCourtesy,
  findHead,
  findNegations,
  forbids,
  isCapital,
  isNumberSign,
  isPastForm,
  lacksSubject,
  tellsPast,
} from "./clause-form.js";
import {
  articles,
  conditionals,
  courtesies,
  isAuxiliary,
  isFunctionWord,
  isPlea,
  isTotal,
  modals,
  openQuestionWords,
  prepositions,
  pronouns,
  reportingVerbs,
  tellingVerbs,
} from "./function-words.js";

/** Maximum number of clauses; the last one has all the rest. */
const maxClauses = 16;

/** Options for {@link readClauses}. */
export interface ClauseOptions {
  /** Verbs in lower case that begin a clause behind "and". */
  readonly verbs?: ReadonlySet<string> | undefined;
  /** Ranges of names, which are never verbs. */
  readonly names?: readonly TextRange[] | undefined;
}

/** Words of a text between two borders. */
interface Part extends TextRange {
  readonly tokens: readonly Token[];
  /** Text between this part and the next one. */
  readonly border: string;
}

/** Reads the clauses of a text, in order. At least one. */
export function readClauses(
  text: string,
  tokens: readonly Token[],
  spans: readonly Span[],
  options: ClauseOptions = {},
): readonly Clause[] {
  const parts = splitParts(text, tokens, spans, options);
  const quotes = spans.filter(({ kind }) => kind === "quote");
  let isReported = false;
  let isSupposed = false;
  const clauses = parts.map((part, at): Clause => {
    const before = parts[at - 1];
    const isNewSentence = before === undefined || /[.?!;\n]/.test(before.border);
    // What somebody said continues to the end of its paragraph; a supposition to the end of its sentence.
    if (before !== undefined && /\n/.test(before.border)) isReported = false;
    if (isNewSentence) isSupposed = false;
    const isInside = quotes.some(
      ({ start, end }) => start < part.end && part.start < end && coversMost(part, start, end),
    );
    const clause = readClause(text, part, isInside || isReported, isSupposed, options);
    if (clause.isHypothetical) isSupposed = true;
    if (reportsSpeech(part)) isReported = true;
    return clause;
  });
  return clauses.length > 0
    ? clauses
    : [
        readClause(
          text,
          { start: 0, end: text.length, tokens: [], border: "" },
          false,
          false,
          options,
        ),
      ];
}

function coversMost(part: TextRange, start: number, end: number): boolean {
  const shared = Math.min(part.end, end) - Math.max(part.start, start);
  return shared * 2 > part.end - part.start;
}

/** "The customer wrote:", "she told us, ..." and "she said that ...", but not "say that again". */
function reportsSpeech({ tokens, border }: Part): boolean {
  const at = tokens.findIndex(({ lower }) => reportingVerbs.has(lower));
  if (at < 0) return false;
  const isFirst = at === 0 || tokens.slice(0, at).every(({ lower }) => courtesies.has(lower));
  const next = tokens[at + 1];
  const isAddressed = tokens.slice(at + 1).every(({ lower }) => pronouns.has(lower));
  const isOpen = next?.lower === "that" || (isAddressed && /[:,]/.test(border));
  return !isFirst && (isOpen || /^\s{0,3}:/.test(border));
}

function splitParts(
  text: string,
  tokens: readonly Token[],
  spans: readonly Span[],
  options: ClauseOptions,
): readonly Part[] {
  const parts: Part[] = [];
  // In order, without overlap: those before a token are behind every later one.
  const whole = spans.filter(({ kind }) => kind !== "quote");
  const titles = spans
    .filter(({ kind }) => kind === "quote")
    .slice(0, maxClauses)
    .filter((one) => isTitle(text, tokens, one, options));
  let span = 0;
  let first = 0;
  const close = (last: number, next: number) => {
    const own = tokens.slice(first, last + 1);
    const [start, end] = [own[0], own.at(-1)];
    if (start === undefined || end === undefined) return;
    const border = text.slice(end.end, tokens[next]?.start ?? text.length);
    const mark = /^["'”’)]{0,3}[.?!]{0,9}/.exec(border)?.[0].length ?? 0;
    parts.push({ start: start.start, end: end.end + mark, tokens: own, border });
  };
  for (let at = 1; at < tokens.length && parts.length < maxClauses - 1; at++) {
    const token = tokens[at];
    const before = tokens[at - 1];
    if (token === undefined || before === undefined || at === first) continue;
    while ((whole[span]?.end ?? Number.POSITIVE_INFINITY) <= token.start) span++;
    if ((whole[span]?.start ?? token.start) < token.start) continue;
    const between = text.slice(before.end, token.start);
    const isTitle = titles.some(({ start, end }) => before.end <= end && start <= token.start);
    if (
      !(isTitle && /^\s?["“”]|["“”]\s?$/.test(between)) &&
      isBorder(between, tokens, at, options)
    ) {
      close(at - 1, at);
      first = /[.?!;\n]/.test(between) ? at : skipJoints(tokens, at);
      at = first;
      continue;
    }
    // A word that joins belongs to neither side.
    if (
      /^(?:and|or|but|then|plus|also|so|while|whereas|because)$/.test(token.lower) &&
      at > first
    ) {
      const next = skipJoints(tokens, at);
      const isKind = tokens
        .slice(first, at)
        .every(({ lower }) => /^(?:please|be|so|very|kind|good)$/.test(lower));
      if (!isKind && next < tokens.length && beginsClause(tokens, next, options)) {
        close(at - 1, next);
        first = next;
        at = next;
      }
    }
  }
  close(tokens.length - 1, tokens.length);
  return parts;
}

/** `Queue "Low Water"`: a title that an act of somebody is done to, and not reported speech. */
function isTitle(
  text: string,
  tokens: readonly Token[],
  { start }: TextRange,
  { verbs }: ClauseOptions,
): boolean {
  const before = tokens.findLast(({ end }) => end <= start);
  return (
    before !== undefined &&
    verbs?.has(before.lower) === true &&
    !/[:,]/.test(text.slice(before.end, start))
  );
}

function skipJoints(tokens: readonly Token[], at: number): number {
  let next = at;
  while (
    /^(?:and|or|but|then|plus|also|so|while|whereas|because|just|rather|instead)$/.test(
      tokens[next]?.lower ?? "",
    )
  ) {
    next++;
  }
  return next;
}

/** Whether a sentence, or a clause of its own, ends between two words. */
function isBorder(
  between: string,
  tokens: readonly Token[],
  at: number,
  options: ClauseOptions,
): boolean {
  if (isNumberSign(tokens, at - 1)) return false;
  if (/[.?!;]["'”’)]{0,3}\s|\n\s{0,99}\n|[?!]$/.test(between)) return true;
  if (/\n/.test(between)) return true;
  if (!/[,:—–]|\s[-+&]\s|["“]/.test(between)) return false;
  return (
    /:\s|["“]/.test(between) ||
    beginsClause(tokens, skipJoints(tokens, at), options) ||
    beginsWithSubject(tokens, at, options)
  );
}

/** "When", "until when", "on which days": a question word, maybe behind a preposition. */
function asksOpenly(tokens: readonly Token[], at: number): boolean {
  const lower = tokens[at]?.lower ?? "";
  if (openQuestionWords.has(lower)) return true;
  return prepositions.has(lower) && openQuestionWords.has(tokens[at + 1]?.lower ?? "");
}

/** Maximum number of words of a subject. */
const maxSubject = 3;

/** "..., Ms Tanaka is ill" and "..., the carcass has gone"; behind an order also "..., pressure was fine": a subject, and its verb. */
function beginsWithSubject(
  tokens: readonly Token[],
  at: number,
  { verbs }: ClauseOptions,
): boolean {
  const words = tokens.slice(at, at + maxSubject + 1);
  const verb = words.findIndex(({ lower }) => isAuxiliary(lower));
  if (verb < 1) return false;
  const subject = words.slice(0, verb);
  const isArticle = articles.has(subject[0]?.lower ?? "");
  const isThing = subject.slice(isArticle ? 1 : 0).every(({ lower }) => !isFunctionWord(lower));
  const isOrder = tokens.slice(0, at).some(({ lower }) => verbs?.has(lower) === true);
  if (isThing && (isArticle ? verb > 1 : isOrder)) return true;
  return subject.every(({ text, lower }, place) =>
    lower === "and" ? place > 0 : /^\p{Lu}/u.test(text),
  );
}

/** "I'm", "they're", "it's", "we've". */
function isSubjectWithVerb(lower: string): boolean {
  const [pronoun = "", verb = ""] = lower.split("'", 2);
  return pronouns.has(pronoun) && /^(?:m|re|s|ve|d|ll)$/.test(verb);
}

/** Whether a clause that asks, orders or tells begins at a word. */
function beginsClause(
  tokens: readonly Token[],
  at: number,
  { verbs, names = [] }: ClauseOptions,
): boolean {
  const token = tokens[at];
  const next = tokens[at + 1];
  if (token === undefined) return false;
  const { lower } = token;
  if (conditionals.has(lower) || verbs?.has(lower) === true) return true;
  if (asksOpenly(tokens, at) || isPlea(lower)) return true;
  if (isAuxiliary(lower)) return next !== undefined;
  if (tellingVerbs.has(lower)) return next !== undefined && !isAuxiliary(next.lower);
  if (pronouns.has(lower))
    return next !== undefined && (isAuxiliary(next.lower) || !isFunctionWord(next.lower));
  if (lower === "don't" || lower === "not" || isSubjectWithVerb(lower)) return true;
  if (isFunctionWord(lower) || next === undefined) return false;
  const isName = names.some(({ start, end }) => start <= token.start && token.start < end);
  const isBeforeName = names.some(({ start }) => start === next.start);
  // "Pick a fix", "delete it", "restart cart": a noun is hardly followed by these.
  return (
    !isName &&
    (articles.has(next.lower) ||
      /^(?:it|them|me|us|all|every|everything)$/.test(next.lower) ||
      (isBeforeName && !lower.endsWith("s")))
  );
}

function readClause(
  text: string,
  { start, end, tokens }: Part,
  isQuoted: boolean,
  isSupposed: boolean,
  { names = [], verbs }: ClauseOptions,
): Clause {
  const own = text.slice(start, end);
  const endsAsQuestion = /\?["'”’)]{0,3}$/.test(own.trimEnd());
  const found = findHead(tokens, endsAsQuestion, verbs);
  const { at, isWished } = found;
  const courtesy = findCourtesy(tokens, text, at);
  const isRequest = found.isRequest || courtesy !== undefined;
  const isCourtesy = (place: number) =>
    courtesy !== undefined && courtesy.first <= place && place <= courtesy.last;
  const head = tokens[at]?.lower ?? "";
  const words = tokens.slice(at).map(({ lower }) => lower);
  const isHypothetical =
    isSupposed ||
    tokens.some(
      ({ lower }, place) =>
        conditionals.has(lower) &&
        !isCourtesy(place) &&
        (place === 0 || lower === "if" || lower === "unless"),
    );
  const negations = findNegations(tokens, end);
  return {
    text: own,
    start,
    end,
    head,
    body: text.slice(tokens[at]?.start ?? start, end),
    act: readAct({
      words,
      isPolite: isRequest || isWished,
      isName: names.some((name) => name.start === tokens[at]?.start),
      endsAsQuestion,
    }),
    isQuestion:
      /\?/.test(own.slice(-4)) ||
      openQuestionWords.has(head) ||
      (isAuxiliary(head) &&
        !isRequest &&
        !isSubjectWithVerb(head) &&
        !lacksSubject(tokens, at) &&
        !forbids(tokens, at)),
    negations,
    isRequest,
    isModal:
      isWished ||
      tokens.some(
        ({ lower, text: word }, place) =>
          modals.has(lower) &&
          !isCourtesy(place) &&
          !(isRequest && place < at) &&
          !(word === "May" && place > 0),
      ),
    isHypothetical,
    isPast: tellsPast(tokens) || isPastForm(head),
    isQuoted,
    isAboutAll: tokens.some(
      ({ lower, text: word }, place) =>
        (isTotal(lower) && !(place > 0 && isCapital(word) && isCapital(tokens[place + 1]?.text))) ||
        (lower === "lot" && tokens[place - 1]?.lower === "the"),
    ),
  };
}

import type { EntityMention, NamedEntity } from "./entities/entity.js";
import type { EntityIndex } from "./entities/entity-index.js";
import { kindOfKinds } from "./entities/link-entities.js";
import {
  backReferences,
  courtesies,
  isAuxiliary,
  isFunctionWord,
  isTellingVerb,
  openQuestionWords,
} from "./grammar/function-words.js";
import { readQuestion } from "./read-question.js";
import type { Reading } from "./reading.js";
import type { Span } from "./spans/span.js";
import { type TextRange, type Token, toTokens } from "./text/tokens.js";

/** Something that was asked before, and who answered. */
export interface Turn {
  readonly question: string;
  /** Id of the librarian that answered it. */
  readonly librarian?: string | undefined;
}

/** A message together with what was said before. */
export interface FollowUp {
  /** It cannot be understood alone. */
  readonly isFollowUp: boolean;
  /** The message as somebody would write it who had to say it in one go; the message itself where it is whole. */
  readonly whole: string;
  /** Id of the librarian that answered what it refers to: a further read stays there. */
  readonly staysWith?: string | undefined;
}

/** Maximum number of words of a message that is a fragment of a question. */
const maxFragment = 6;
/** Maximum number of turns that are looked back. */
const maxTurns = 8;

/**
 * Makes a message whole from the turns before it: "and for checkout?" asks the last question again about checkout, and
 * "why?" asks for the cause of what was asked.
 *
 * @param turns - Oldest first.
 * @param entities - What can be named: without it only times are put into the last question.
 */
export function completeFollowUp(
  text: string,
  turns: readonly Turn[],
  entities?: EntityIndex,
): FollowUp {
  const last = turns.at(-1);
  const reading = readQuestion(text, { entities });
  const tokens = toTokens(reading.text);
  if (last === undefined || !isIncomplete(reading, tokens))
    return { isFollowUp: false, whole: text };
  // What was asked last may need what was asked before it.
  const asked = completeFollowUp(last.question, turns.slice(-maxTurns, -1), entities);
  const before = readQuestion(asked.whole, { entities });
  return { isFollowUp: true, whole: join(reading, tokens, before), staysWith: last.librarian };
}

function isIncomplete(reading: Reading, tokens: readonly Token[]): boolean {
  const words = tokens.map(({ lower }) => lower);
  const content = words.filter((word) => !courtesies.has(word));
  if (content.length === 0) return false;
  const names = namesIn(reading);
  const lead = words.find((word) => !courtesies.has(word)) ?? "";
  const isPointing =
    /\b(?:the (?:other|first|second|third|last|same|next)(?: (?:one|two|plan))?|of the others?|the others?|are you sure)\b/.test(
      words.join(" "),
    );
  if (isPointing && content.length <= maxFragment + 2) return true;
  // "It is slow" points back; "the pod and its logs" does not: what it means is in the same text.
  const refers = tokens.some(
    ({ lower, start }) => refersTo(lower) && !names.some((name) => name.end <= start),
  );
  if (refers && !isImpersonal(words)) return true;
  const isWhole = content.length > 2 && hasSubject(content);
  if (isWhole) return false;
  // "And in May?", "since when?", "cpu too?", "only the urgent ones".
  const isElliptic =
    /^(?:and|or|but|also|what about|how about|only|not|no|same|then)\b/.test(words.join(" ")) ||
    words.includes("too");
  // "Show the logs", "logs?": the article points at something that is known.
  const isOrder = isTellingVerb(lead) && words.includes("the") && content.length <= 4;
  const isNoun = content.length === 1 && !isFunctionWord(lead) && reading.text.includes("?");
  if ((isOrder || isNoun) && names.length === 0) return true;
  const isBareQuestion = openQuestionWords.has(lead) && content.length <= 2;
  const isPhrase = /^(?:in|on|at|for|of|from|with|to|since|until|without|compared)$/.test(lead);
  return (isElliptic || isBareQuestion || isPhrase) && content.length <= maxFragment;
}

function refersTo(lower: string): boolean {
  return (
    backReferences.has(lower) ||
    lower === "there" ||
    lower === "ones" ||
    lower === "she" ||
    lower === "he"
  );
}

/** "Is there a page", "is it possible": nothing that was said before is meant. */
function isImpersonal(words: readonly string[]): boolean {
  const text = words.join(" ");
  return (
    /\b(?:is|are|was|were|be|isn't|aren't) there\b|\bthere (?:is|are|was|were)\b|\bit (?:possible|true|ok)\b|\bthat (?:is|are|was|were|has|have|do|does|don't|can|cannot|will)\b/.test(
      text,
    ) && !/\b(?:it|them|they|those|she|he)\b/.test(text.replace(/\bit (?:possible|true|ok)\b/, ""))
  );
}

/** A question word or auxiliary with something that it is about. */
function hasSubject(content: readonly string[]): boolean {
  const [first = ""] = content;
  const nouns = content.filter((word) => !isFunctionWord(word));
  return openQuestionWords.has(first) || isAuxiliary(first)
    ? nouns.length >= 1 && content.length >= 4
    : false;
}

function namesIn({ entities }: Reading): readonly EntityMention<NamedEntity>[] {
  return entities.filter(({ candidates: [best] }) => best?.entity.kind !== kindOfKinds);
}

function timesIn({ spans }: Reading): readonly Span[] {
  return spans.filter(({ kind }) => kind === "time" || kind === "duration");
}

function join(reading: Reading, tokens: readonly Token[], before: Reading): string {
  const names = namesIn(reading);
  const earlier = namesIn(before);
  const [name] = names;
  const [only] = earlier;
  const hasVerb = tokens.some(({ lower }) => isAuxiliary(lower) && lower !== "what's");
  if (name !== undefined && !hasVerb) {
    const same = earlier.find((one) => kindIn(one) === kindIn(name)) ?? earlier.at(-1);
    if (same !== undefined) return replaceIn(before.text, same, name.text);
  }
  const [time] = timesIn(reading);
  if (time !== undefined && !hasVerb) {
    const [other] = timesIn(before);
    const stem = before.text.replace(/[?!.\s]+$/, "");
    return other === undefined
      ? `${stem} ${phraseOf(reading.text, time)}`
      : replaceIn(before.text, other, time.text);
  }
  const pronoun = tokens.find(({ lower }) => /^(?:it|they|them|that|those|this)$/.test(lower));
  if (pronoun !== undefined && only !== undefined && earlier.length === 1 && hasVerb)
    return replaceIn(reading.text, pronoun, only.text);
  const stem = reading.text.replace(/^(?:and|also|but)\s+/i, "").trim();
  return `${before.text.replace(/[?!.\s]+$/, "")}: ${stem}`;
}

function kindIn({ candidates: [best] }: EntityMention): string | undefined {
  return best?.entity.kind;
}

function replaceIn(text: string, { start, end }: TextRange, by: string): string {
  return `${text.slice(0, start)}${by}${text.slice(end)}`;
}

/** A time with the preposition before it. */
function phraseOf(text: string, { start, end }: TextRange): string {
  const lead =
    /(?:in|on|at|since|from|until|for|last)(?: the)?(?: last| past)?\s$/i.exec(
      text.slice(0, start),
    )?.[0] ?? "";
  return `${lead}${text.slice(start, end)}`;
}

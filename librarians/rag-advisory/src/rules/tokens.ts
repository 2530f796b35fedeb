import { readableText } from "./readable-text.js";

/** A word or a mark of a text. */
export interface Token {
  /** In lower case; `US` and `I` that represent a country and a number keep their capitals. */
  readonly word: string;
  /** Its place in the text as it was written: the first character, and the one after the last. */
  readonly start: number;
  readonly end: number;
  readonly isWord: boolean;
  /** Whether it is a word with a capital letter at its start. */
  readonly isCapital: boolean;
  /** Whether a clause begins here: at the start of a sentence, after a colon, a dash or a bullet. */
  readonly isClauseStart: boolean;
}

/** The tokens of one sentence, its end mark included. */
export type TokenSentence = readonly Token[];

const form = /(?:[\p{L}\p{N}]+(?:['.,&-][\p{L}\p{N}]+)*)|[^\s\p{L}\p{N}]/gu;
const clauseMarks: ReadonlySet<string> = new Set([":", ";", "—", "–", "•", "(", "[", ">", "/"]);
/** Words that begin a clause before the main one: `If the survey shows damp, walk away.` */
const subordinators: ReadonlySet<string> = new Set(
  "if when before after once unless because since as with for to while until given considering so then though although despite in at by rather instead under ideally".split(
    " ",
  ),
);

/** Cuts a text into sentences of tokens, in time proportional to its length. */
export function tokenSentences(written: string): readonly TokenSentence[] {
  const { text, places } = readableText(written);
  const sentences: Token[][] = [];
  let current: Token[] = [];
  let isClauseStart = true;
  let hasWord = false; // in the sentence so far
  let hasLead = false;
  for (const { 0: raw, index } of text.matchAll(form)) {
    const isWord = /[\p{L}\p{N}]/u.test(raw);
    const start = places[index] ?? 0;
    const end = (places[index + raw.length - 1] ?? start) + 1;
    const word = raw === "US" || raw === "IN" ? raw : raw.toLowerCase();
    if (isWord && !hasWord) hasLead = subordinators.has(word);
    hasWord ||= isWord;
    current.push({
      word,
      start,
      end,
      isWord,
      isCapital: /^\p{Lu}/u.test(raw),
      isClauseStart: isWord && isClauseStart,
    });
    const isEnd =
      (raw === "." || raw === "!" || raw === "?") &&
      /^(?:["')\]]*\s|["')\]]*$)/.test(text.slice(index + 1, index + 6));
    const isDash = raw === "-" && text.charAt(index + 1) === " ";
    isClauseStart =
      (isClauseStart && !isWord) || clauseMarks.has(raw) || isDash || (raw === "," && hasLead);
    if (!isEnd) continue;
    sentences.push(current);
    current = [];
    isClauseStart = true;
    hasWord = false;
    hasLead = false;
  }
  if (current.length > 0) sentences.push(current);
  return sentences;
}

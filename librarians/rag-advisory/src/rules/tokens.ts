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
      /^(?:["')\]]*\s|["')\]]*$)/.test(text.slice(index + 1, index + 6)) &&
      !(
        /^ [\p{Ll}\d]/u.test(text.slice(index + 1, index + 3)) &&
        abbreviation.test(text.slice(Math.max(0, index + 1 - maxAbbreviation), index + 1))
      );
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

/** Text as a reader sees it, with the way back to what was written. */
export interface ReadableText {
  readonly text: string;
  /** Place in what was written of each character of `text`, and of its end. */
  readonly places: readonly number[];
}

/**
 * Undoes what hides words from a pattern: full-width letters and ligatures, invisible characters,
 * curly quotes, Markdown emphasis and runs of blanks.
 */
export function readableText(written: string): ReadableText {
  const pieces: string[] = [];
  const places: number[] = [];
  let isAfterBlank = true;
  for (let at = 0; at < written.length; ) {
    const character = String.fromCodePoint(written.codePointAt(at) ?? 0);
    const shown = shownAs(character);
    const isRepeatedBlank = shown === " " && isAfterBlank;
    if (shown !== "" && !isRepeatedBlank) {
      for (let unit = 0; unit < shown.length; unit++) places.push(at);
      pieces.push(shown);
      isAfterBlank = shown === " ";
    }
    at += character.length;
  }
  places.push(written.length);
  return { text: pieces.join(""), places };
}

function shownAs(character: string): string {
  if (/[a-z0-9,.]/i.test(character)) return character;
  if (/[\p{Cf}\p{Mn}*_~`]/u.test(character)) return "";
  if (/[\s\p{Zs}]/u.test(character)) return " ";
  if (/[‘’ʼ]/.test(character)) return "'";
  if (/[“”]/.test(character)) return '"';
  if (character < "\u0080") return character;
  return (
    character
      .normalize("NFKC")
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "") || character
  );
}

/** Ends of words after which a full stop ends no sentence. */
const abbreviation =
  /(?:^|[\s(])(?:sq|ft|rs|no|nos|approx|avg|est|st|rd|ave|vs|mr|mrs|ms|dr|e\.g|i\.e|etc|inc|ltd|co|dept|fig|u\.s|u\.k|[a-z])\.$/i;

/** Characters of the longest abbreviation, with its full stop and the mark before it. */
const maxAbbreviation = 8;

/** Cuts text into sentences, blanks at their ends taken off. Lines are cut too. */
export function splitSentences(text: string): readonly string[] {
  const sentences: string[] = [];
  for (const line of text.split(/\n+/)) {
    let pieces: string[] = [];
    for (const piece of line.split(/(?<=[.!?]["')\]]?)\s+(?=[\p{Lu}\p{Sc}\d"'([])/u)) {
      pieces.push(piece);
      // What came before the piece ends in a blank, and the longest abbreviation is short.
      if (abbreviation.test(piece.slice(-maxAbbreviation))) continue;
      sentences.push(pieces.join(" ").trim());
      pieces = [];
    }
    sentences.push(pieces.join(" ").trim());
  }
  return sentences.filter((sentence) => sentence !== "");
}

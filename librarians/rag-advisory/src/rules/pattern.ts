import { readFileSync } from "node:fs";
import { literal } from "../country/countries.js";
import { type TokenSentence, tokenSentences } from "./tokens.js";

/** Words by class, and patterns over the words of sentences: see {@link compilePatterns}. */
export const patternTable = JSON.parse(
  readFileSync(new URL("../../data/patterns.json", import.meta.url), "utf8"),
) as {
  readonly lexicon: Readonly<Record<string, string>>;
  /**
   * What no sentence of an advisory may do, and what a sentence has that only reports it. Only patterns that matter beside
   * the fitted classifier: those that catch sentences which it misses, and those that find orders to a model.
   */
  readonly acts: readonly ActRule[];
  /** Questions that use words of property and ask for something else: a person, a bank, a court, a repair. */
  readonly offTopic: readonly string[];
  /** Questions about what is to come. */
  readonly future: readonly string[];
};

/** What a content rule forbids: decisions for the reader, calls to act, and what is not factual. */
export type ContentRule = "decision" | "action" | "unfactual";

/** An act that no sentence of an advisory may do. */
export type ContentAct =
  | "directive"
  | "decision"
  | "legal"
  | "guarantee"
  | "prediction"
  | "urgency"
  | "assistant"
  | "unsupported"
  | "praise";

/** The patterns of an act, and those whose sentences do not do it all the same. */
export interface ActRule {
  readonly act: ContentAct;
  readonly rule: ContentRule;
  readonly patterns: readonly string[];
  /** A sentence with one of these only reports the act: `According to the report, ...`. */
  readonly unless?: readonly string[];
}

/** Marks before a token: a clause begins here, a capital letter, not a word. */
const marks = { clause: "\u0001", capital: "\u0002", other: "\u0003" } as const;
const prefix = "[\u0001-\u0003]*";
const character = "[^ \u0001-\u0003]";
const anyWord = `[\u0001\u0002]*${character}+ `;
/** Marks that a gap may hold. */
const passable = `${marks.other}[,%"'₹$£-] `;

/**
 * Compiles patterns, each of items that are parted by blanks:
 *
 * - `word`, `one|other`, `@class`: one of these words; `?` behind it makes it optional;
 * - `Aa`: a word with a capital letter; `#` among words: any number;
 * - `..3`: up to three words of any kind, no marks but a comma;
 * - `!word`, `!@class`: not one of these next;
 * - `^`: a clause begins here.
 *
 * @throws RangeError for a class that the lexicon does not have.
 */
export function compilePatterns(patterns: readonly string[]): RegExp {
  const sources = patterns.map((pattern) => pattern.split(" ").map(compileItem).join(""));
  return new RegExp(`(?<![^ ])(?:${sources.join("|")})`, "u");
}

function compileItem(item: string): string {
  if (item === "^") return `(?=${marks.clause})`;
  if (item.startsWith("..")) return `(?:${anyWord}|${passable}){0,${item.slice(2)}}?`;
  if (item.length > 1 && item.startsWith("!")) return `(?!${oneOf(item.slice(1))})`;
  const isOptional = item.length > 1 && item.endsWith("?");
  return isOptional ? `(?:${oneOf(item.slice(0, -1))})?` : oneOf(item);
}

/** One of some words, as a part of an expression. */
function oneOf(item: string): string {
  const listed = item.split("|").flatMap((word) => {
    if (!word.startsWith("@")) return [word];
    const words = patternTable.lexicon[word.slice(1)];
    if (words === undefined) throw new RangeError(`pattern: expected a class, got ${word}`);
    return words.split(" ");
  });
  const forms = listed.map((word) => {
    if (word === "#") return `${prefix}\\d${character}*`;
    if (word === "Aa") return `${marks.clause}?${marks.capital}${character}+`;
    return `${prefix}${literal(word)}`;
  });
  return `(?:${forms.join("|")}) `;
}

/** The first piece of a sentence that some patterns match. */
export function findPattern(
  sentence: TokenSentence,
  patterns: RegExp,
): { readonly start: number; readonly end: number } | undefined {
  let text = marked.get(sentence);
  if (text === undefined) {
    text = markTokens(sentence);
    marked.set(sentence, text);
  }
  const found = patterns.exec(text);
  if (found === null) return undefined;
  const tokensIn = (text: string) => text.split(" ").length - 1;
  const first = tokensIn(found.input.slice(0, found.index));
  const last = first + Math.max(1, tokensIn(found[0])) - 1;
  return { start: sentence[first]?.start ?? 0, end: sentence[last]?.end ?? 0 };
}

/** Sentences as patterns read them: many patterns read each. */
const marked = new WeakMap<TokenSentence, string>();

function markTokens(sentence: TokenSentence): string {
  return sentence
    .map(
      ({ word, isClauseStart, isCapital, isWord }) =>
        `${isClauseStart ? marks.clause : ""}${isCapital ? marks.capital : ""}${isWord ? "" : marks.other}${word} `,
    )
    .join("");
}

/** Maximum characters of a question that are read. */
const maxRead = 2_000;

/** Whether a sentence of a question has one of some patterns. */
export function hasPattern(text: string, patterns: RegExp): boolean {
  return tokenSentences(text.slice(0, maxRead)).some(
    (sentence) => findPattern(sentence, patterns) !== undefined,
  );
}

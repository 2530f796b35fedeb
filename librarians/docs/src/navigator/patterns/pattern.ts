import { trimTrailing } from "@constellation/authoring";
import type { CodePiece } from "../code-marks.js";
import type { Evidence, TokenLocation } from "../evidence/evidence.js";

/** Kinds of tokens that can be checked without a model. */
export type PatternKind =
  | "arn"
  | "url"
  | "error-text"
  | "path"
  | "command"
  | "flag"
  | "environment-variable"
  | "version"
  | "config-key"
  | "identifier"
  | "number";

/** A part of an answer that can be looked up. */
export interface Token {
  /** Text as in the answer, without surrounding punctuation. */
  readonly text: string;
  /** Start offset, and the offset after the end. */
  readonly start: number;
  readonly end: number;
  /** For a flag, the tool that precedes it. */
  readonly owner?: string | undefined;
}

/** The text of an answer, for extracting tokens. */
export interface AnswerText {
  /** The text, unchanged. */
  readonly whole: string;
  /** The text with tokens of earlier patterns replaced by spaces; the length stays. */
  readonly text: string;
  readonly code: readonly CodePiece[];
}

/** One kind of token: how to recognise it, and where to look it up. */
export interface Pattern {
  readonly kind: PatternKind;
  /** For messages: `the flag`. */
  readonly noun: string;
  /** Whether it must be in a cited section: elsewhere in the knowledge base is not enough. */
  readonly mustBeCited: boolean;
  /** Tokens in order. Linear in the length of the text. */
  extract(answer: AnswerText): readonly Token[];
  find(token: Token, evidence: Evidence): TokenLocation;
  /**
   * Key under which tokens are equal, such as `5m` and `5 minutes`. Default: the text in lower
   * case.
   */
  key?(token: Token): string;
}

/** Finds the tokens that a regular expression with the flag `g` matches. */
export function* matches(form: RegExp, text: string): Generator<Token> {
  for (const match of text.matchAll(form)) {
    const [whole] = match;
    yield { text: whole, start: match.index, end: match.index + whole.length };
  }
}

/** Removes the punctuation at the end of a token.
 *
 * @param mark - Matches one character of it.
 */
export function withoutPunctuation(token: Token, mark = /[.,;:!?]/): Token {
  const text = trimTrailing(token.text, mark);
  return { ...token, text, end: token.start + text.length };
}

/** Whether a name is a placeholder: `your-app`, `path/to`, `foo`. */
export function isPlaceholder(name: string): boolean {
  return (
    /[<>{}*…]|\.\.\.|^(?:your|my)[-_ ]|[-_](?:here|name_here)$|^x+$/i.test(name) ||
    placeholders.has(name.toLowerCase())
  );
}

const placeholders: ReadonlySet<string> = new Set(
  "foo bar baz foobar example sample path/to path to placeholder changeme todo xxx".split(" "),
);

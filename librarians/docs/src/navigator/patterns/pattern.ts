import { trimTrailing } from "@constellation/core/authoring";
import type { CodePiece } from "../code-marks.js";
import type { Evidence, Standing } from "../evidence/evidence.js";

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

/** Something an answer states that can be looked up. */
export interface Token {
  /** As it is in the answer, without the punctuation around it. */
  readonly text: string;
  /** Where it begins, and the place after its end. */
  readonly start: number;
  readonly end: number;
  /** The binary it is written behind, where it is a flag. */
  readonly owner?: string | undefined;
}

/** The text of an answer, for extracting tokens. */
export interface AnswerText {
  /** As it stands. */
  readonly whole: string;
  /** The same, with what earlier patterns have taken blanked out; the length stays. */
  readonly text: string;
  readonly code: readonly CodePiece[];
}

/** One kind of token: how to see it, and where to look it up. */
export interface Pattern {
  readonly kind: PatternKind;
  /** For messages: `the flag`. */
  readonly noun: string;
  /** Whether it must be in a cited section: elsewhere in the knowledge base is not enough. */
  readonly mustBeCited: boolean;
  /** Tokens in order. Linear in the length of the text. */
  extract(answer: AnswerText): readonly Token[];
  find(token: Token, evidence: Evidence): Standing;
  /** The form in which two tokens are the same: `5m` and `5 minutes`. The text in lower case where not given. */
  key?(token: Token): string;
}

/** The tokens that a regular expression with the flag `g` finds. */
export function* matches(form: RegExp, text: string): Generator<Token> {
  for (const match of text.matchAll(form)) {
    const [whole] = match;
    yield { text: whole, start: match.index, end: match.index + whole.length };
  }
}

/**
 * A token without the punctuation at its end.
 *
 * @param mark - Matches one character of it.
 */
export function withoutPunctuation(token: Token, mark = /[.,;:!?]/): Token {
  const text = trimTrailing(token.text, mark);
  return { ...token, text, end: token.start + text.length };
}

/** Whether a name represents another one, to be filled in: `your-app`, `path/to`, `foo`. */
export function isPlaceholder(name: string): boolean {
  return (
    /[<>{}*…]|\.\.\.|^(?:your|my)[-_ ]|[-_](?:here|name_here)$|^x+$/i.test(name) ||
    placeholders.has(name.toLowerCase())
  );
}

const placeholders: ReadonlySet<string> = new Set(
  "foo bar baz foobar example sample path/to path to placeholder changeme todo xxx".split(" "),
);

/** A regular expression that recheck does not call safe, and why it may stay. */
export interface RegexException {
  /** As it is written in the source: `/a+/g`. */
  readonly text: string;
  /** Maximum length of the text it is given, in characters. */
  readonly maxLength: number;
  /** What keeps the text as short, or the time linear. */
  readonly reason: string;
}

/** A file that makes regular expressions as it runs, which cannot be read from the source. */
export interface MakerException {
  readonly file: string;
  /** What they are made from, and why they take linear time. */
  readonly reason: string;
}

export const regexExceptions: readonly RegexException[] = [];

export const makerExceptions: readonly MakerException[] = [
  {
    file: "packages/core/src/authoring/redact-secrets.ts",
    reason: "Fixed words with bounded runs around them; a test times each on 200,000 characters.",
  },
  {
    file: "packages/core/src/authoring/secret-names.ts",
    reason: "Fixed words; it meets names of at most 128 characters.",
  },
  {
    file: "packages/core/src/evals/text-matcher.ts",
    reason: "Patterns of the user's own cases, run with a time limit in a context of their own.",
  },
];

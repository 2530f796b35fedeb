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

export const makerExceptions: readonly MakerException[] = [];

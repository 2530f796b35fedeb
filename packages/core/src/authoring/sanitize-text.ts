import { stripVTControlCharacters } from "node:util";

/** What {@link sanitizeText} makes of text. */
export interface SanitizeOptions {
  /**
   * Joins all lines to one: each run of white space becomes one space, none at the ends.
   *
   * @default false
   */
  readonly singleLine?: boolean | undefined;
  /**
   * Maximum length, in UTF-16 code units, integer, 1 or more. A longer text ends in `…`.
   *
   * @default Infinity
   */
  readonly maxLength?: number | undefined;
}

const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
/** Control and format characters, and all that shows nothing, except the selector that colours an emoji. */
const invisible = /(?!\n|\t|\uFE0F)(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point})/gu;

/**
 * Makes text that others wrote safe to put on a line of a terminal, a page, a log or a prompt: without
 * ANSI escapes, control characters, zero-width and bidirectional characters; line and paragraph
 * separators become `\n`, tabs stay, lone surrogates become U+FFFD. In time proportional to the text.
 *
 * What it says stays as it is: secrets ({@link redactSecrets}) and Markdown ({@link safeMarkdown}) too.
 */
export function sanitizeText(text: string, options: SanitizeOptions = {}): string {
  const { singleLine = false, maxLength = Number.POSITIVE_INFINITY } = options;
  const clean = stripVTControlCharacters(text)
    .replace(lineBreaks, "\n")
    .replace(invisible, "")
    .replace(/\p{Surrogate}/gu, "\uFFFD");
  return truncateText(singleLine ? clean.replace(/\s+/g, " ").trim() : clean, maxLength);
}

/** The beginning of a text, at most `maxLength` long, ending in `…` where something is missing. */
export function truncateText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = Math.max(0, maxLength - 1);
  const last = text.charCodeAt(end - 1);
  const isHalf = last >= 0xd800 && last <= 0xdbff; // half of a character
  return `${text.slice(0, isHalf ? end - 1 : end)}…`;
}

/** Options of {@link sanitizeText}. */
export interface SanitizeOptions {
  /**
   * Joins all lines: each run of white space becomes one space, and the ends are trimmed.
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

/** Line breaks of every kind: those of Unicode and of terminals besides those of files. */
const lineBreaks = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/**
 * Control sequences of a terminal: strings such as a window's title, those with parameters such as
 * colours, and short ones. Each part excludes what begins another, so that time stays linear.
 *
 * Source: ECMA-48, 5th edition, 5.3 to 5.6.
 */
const controlSequences =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to take out
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0090\u0098\u009c-\u009f\n]{0,4096}(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]{0,64}[ -/]{0,16}[@-~]|\u001b[ -/]{0,16}[0-Z\\^-~]/g;

/** Halves of surrogate pairs, which no encoding of Unicode can write. */
const loneSurrogates = /\p{Cs}/gu;

/**
 * Characters that no reader sees: control characters other than tab and line break, those that turn
 * the direction of text, and those that show nothing, which can hide words or carry data.
 */
const invisible =
  /[^\P{Cc}\n\t]|[\p{Bidi_Control}\ufff9-\ufffb]|\p{Default_Ignorable_Code_Point}/gu;

/**
 * Invisible characters that writing needs: the joiner within an emoji, the selector of its form, and
 * joiners in scripts whose letters change with them.
 */
const needed =
  /\u200d(?<=(?:[\p{Extended_Pictographic}\p{Emoji_Modifier}]|\ufe0f)\u200d)(?=\p{Extended_Pictographic})|\ufe0f(?<=\p{Extended_Pictographic}\ufe0f)|\ufe0f(?<=[\d#*]\ufe0f)(?=\u20e3)|[\u200c\u200d](?<=[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gujarati}\p{Script=Gurmukhi}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Oriya}\p{Script=Sinhala}\p{Script=Tamil}\p{Script=Telugu}].)(?=\p{L})/gsu;

/**
 * Makes untrusted text safe for a line of a terminal, a page, a log or a prompt: without
 * ANSI escapes, control characters, zero-width and bidirectional characters; joiners that an emoji or
 * a script needs stay, as do tabs. Line breaks of every kind become `\n`, lone surrogates U+FFFD. Linear in the
 * length of the text.
 *
 * Does not change words: secrets need {@link redactSecrets}, Markdown needs {@link sanitizeMarkdown}.
 */
export function sanitizeText(text: string, options: SanitizeOptions = {}): string {
  const { singleLine = false, maxLength = Number.POSITIVE_INFINITY } = options;
  const clean = withoutInvisible(text);
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

function withoutInvisible(text: string): string {
  const plain = text
    .replace(lineBreaks, "\n")
    .replace(controlSequences, "")
    .replace(loneSurrogates, "\ufffd");
  if (plain.search(invisible) < 0) return plain;
  let clean = "";
  let from = 0;
  for (const { 0: kept, index } of plain.matchAll(needed)) {
    clean += plain.slice(from, index).replace(invisible, "") + kept;
    from = index + kept.length;
  }
  return clean + plain.slice(from).replace(invisible, "");
}

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
 * Text of a remote system without what a terminal would act on and without what a reader cannot see.
 * Line breaks of every kind become `\n`. Takes time that grows linearly with the text.
 */
export function sanitizeText(text: string): string {
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

/**
 * The same as one line, such as a name.
 *
 * @param maxLength - Maximum number of characters; the rest is cut.
 */
export function sanitizeLine(text: string, maxLength: number): string {
  return sanitizeText(text.slice(0, 4 * maxLength))
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, maxLength);
}

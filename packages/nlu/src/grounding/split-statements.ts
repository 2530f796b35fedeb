/**
 * Splits a text into sentences: at full stops, question and exclamation marks before a new beginning, and at the ends of
 * paragraphs, items and table rows. Code in backticks stays whole.
 */
export function splitStatements(text: string): readonly string[] {
  return text
    .split(
      /(?<=[.!?][")\]`*_]{0,3})\s+(?=[\p{Lu}\d`"'*[(])|\n\s{0,99}\n|\n(?=\s{0,20}(?:[-*+|#]|\d{1,3}[.)])\s?)/u,
    )
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

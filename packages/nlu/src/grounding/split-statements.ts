/** A record: a line that begins with a time, a sign or a key and a colon. */
const record = /\n(?=[ \t]{0,20}(?:\d{2,4}[-:]\d|[●[]|[\p{L} ]{1,30}: ))/u;

/**
 * Splits a text into sentences: at full stops, question and exclamation marks before a new beginning, and at the ends of
 * paragraphs, items, table rows and records. Code in backticks stays whole.
 */
export function splitStatements(text: string): readonly string[] {
  return text
    .split(
      /(?<=[.!?][")\]`*_]{0,3})\s+(?=[\p{Lu}\d`"'*[(])|\n\s{0,99}\n|\n(?=\s{0,20}(?:[-*+|#]|\d{1,3}[.)])\s?)/u,
    )
    .flatMap((one) => one.split(record))
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

import { redacted } from "./secret-names.js";

/** The quote that closes a name, escaped or not. */
export const keyQuote = /(\\{0,3}["'])\s{0,3}[:=]\s{0,3}$/;

/** A value in a text. */
export interface SecretValue {
  readonly start: number;
  readonly end: number;
  /** Its replacement. */
  readonly shown: string;
}

/**
 * Position of a value, without the quotes around it. After a name in quotes it is JSON, and stays
 * JSON: a bare value gets quotes, a list keeps its brackets, an object is left to the names in it.
 */
export function valueFrom(text: string, start: number, key: string): SecretValue {
  const opening = /\\{0,3}["'`]/y;
  opening.lastIndex = start;
  const quote = opening.exec(text)?.[0];
  if (quote !== undefined) {
    const from = start + quote.length;
    return { start: from, end: quotedEnd(text, from, quote), shown: redacted };
  }
  const shown = `${key}${redacted}${key}`;
  if (key === "" || text.startsWith(redacted, start)) {
    return { start, end: bareEnd(text, start), shown };
  }
  if (text[start] === "{") return { start, end: start, shown };
  if (text[start] === "[") return { start: start + 1, end: listEnd(text, start + 1, key), shown };
  return { start, end: bareEnd(text, start), shown };
}

/** End of the list whose first item begins at `from`. */
function listEnd(text: string, from: number, quote: string): number {
  let at = from;
  while (at < text.length && text[at] !== "]") {
    if (text.startsWith(quote, at)) at = quotedEnd(text, at + quote.length, quote) + quote.length;
    else at++;
  }
  return Math.min(at, text.length);
}

/** End of the quoted text whose first character is at `from`. */
export function quotedEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text.startsWith(quote, at)) return at;
    // An escaped character is part of the value, unless the quotes themselves are escaped.
    if (text[at] === "\\" && quote.length === 1) at++;
  }
  return text.length;
}

/** A value without quotes ends at white space, or where the next name or the end of a structure comes. */
function bareEnd(text: string, start: number): number {
  if (text.startsWith(redacted, start)) return start;
  const value = /(?:[^\s"'`&;,]|[&;,](?!\s|$|[\w.-]{1,64}[=:]))+/y;
  value.lastIndex = start;
  const found = value.exec(text)?.[0] ?? "";
  let length = found.length;
  while (length > 0 && ")]}>,;.".includes(found[length - 1] ?? "")) length--;
  return start + length;
}

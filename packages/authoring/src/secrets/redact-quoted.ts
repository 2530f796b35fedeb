import { quotedEnd } from "./secret-value.js";

/** Maximum number of quotations within quotations that are read: a log line in JSON within another one. */
const maxDepth = 3;

/**
 * Redacts the texts that strings of JSON hold: there, lines end in `\n` and quotes are `\"`. A string stays as it is
 * written where nothing in it is secret.
 *
 * @param redact - Redacts the text of a string that is `depth` strings deep.
 */
export function redactQuoted(
  text: string,
  depth: number,
  redact: (text: string, depth: number) => string,
): string {
  if (depth >= maxDepth || !text.includes("\\")) return text;
  let clean = "";
  let done = 0;
  for (let start = text.indexOf('"'); start >= 0; ) {
    const end = quotedEnd(text, start + 1, '"');
    if (end >= text.length) break;
    const inner = textOfString(text.slice(start, end + 1));
    const shown = inner === undefined ? undefined : redact(inner, depth + 1);
    if (shown !== inner) {
      clean += text.slice(done, start) + JSON.stringify(shown);
      done = end + 1;
    }
    start = text.indexOf('"', end + 1);
  }
  return clean + text.slice(done);
}

/** @returns `undefined` for a string without escapes, which can be read as it is, and for what is not one of JSON. */
function textOfString(json: string): string | undefined {
  if (!json.includes("\\")) return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

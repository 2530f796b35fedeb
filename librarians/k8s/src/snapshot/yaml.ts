import { CORE_SCHEMA, load } from "js-yaml";

/**
 * Maximum length of one YAML document, or of one item of a list, in characters. A cluster stores no
 * object of more than 1.5 MiB.
 */
export const maxDocumentLength = 2_097_152;

/** Maximum number of places in one document where a value may begin. */
const maxValues = 400_000;

/** Thrown for a document that is too large or too complex to be read in bounded time. */
export class DocumentTooLargeError extends Error {
  override readonly name = "DocumentTooLargeError";
}

/**
 * Reads one YAML document, in time proportional to its length.
 *
 * Dates stay text, `<<` is a key like others, and a document whose aliases expand to more values than
 * it has characters is refused.
 *
 * @throws DocumentTooLargeError, or the parser's error for text that is not YAML.
 */
export function loadYaml(text: string): unknown {
  if (text.length > maxDocumentLength) throw new DocumentTooLargeError("The document is too long.");
  let values = 0;
  for (const _ of text.matchAll(/[\n,[{]|[:-](?=\s)/g)) {
    values++;
    if (values > maxValues) throw new DocumentTooLargeError("The document has too many values.");
  }
  const value: unknown = load(text, { schema: CORE_SCHEMA });
  if (text.includes("&") && expandsBeyond(value, text.length)) {
    throw new DocumentTooLargeError("Its aliases expand to too many values.");
  }
  return value;
}

/** True when the value, with what is shared counted once for each use, has more than `most` nodes. */
function expandsBeyond(value: unknown, most: number): boolean {
  const open = [value];
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > most + 1) return true;
    const next = open.pop();
    if (typeof next === "object" && next !== null) {
      for (const inner of Object.values(next)) open.push(inner);
    }
  }
  return false;
}

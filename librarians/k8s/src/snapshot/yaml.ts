import { CORE_SCHEMA, constructFromEvents, parseEvents, YAMLException } from "js-yaml";

/**
 * Maximum length of one YAML document, or of one item of a list, in characters. A cluster stores no
 * object of more than 1.5 MiB.
 */
export const maxDocumentLength = 2_097_152;

/**
 * Maximum numbers of possible starts of values, and of values with their delimiters: a fixed number for any text, plus
 * one per some characters. Block text has starts but no values.
 */
const maxPlaces = { any: 40_000, length: 4.5, max: 400_000 } as const;
const maxEvents = { any: 20_000, length: 7, max: 300_000 } as const;
/** Maximum number of anchors: `kubectl` prints none, and each costs more than other values do. */
const maxAnchors = 10_000;

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
 * @throws DocumentTooLargeError, or the parser's error for text that is not one YAML document.
 */
export function loadYaml(text: string): unknown {
  const values = loadAllYaml(text);
  if (values.length !== 1) throw new YAMLException("expected one document");
  return values[0];
}

/**
 * Reads the documents of a YAML text, each as {@link loadYaml} does.
 *
 * @throws DocumentTooLargeError when all together are too large, or the parser's error.
 */
export function loadAllYaml(text: string): readonly unknown[] {
  if (text.length > maxDocumentLength) throw new DocumentTooLargeError("The document is too long.");
  assertWithin(countMatches(text, /[\n,[{]|[:?-](?=\s)/g), text, maxPlaces);
  if (text.includes("&") && countMatches(text, /(?<=[\s,[{])&[\w-]/g) > maxAnchors) {
    throw new DocumentTooLargeError("The document has too many anchors.");
  }
  const events = parseEvents(text, {});
  assertWithin(events.length, text, maxEvents);
  const values = constructFromEvents(events, { source: text, schema: CORE_SCHEMA });
  if (text.includes("&") && expandsBeyond(values, text.length)) {
    throw new DocumentTooLargeError("Its aliases expand to too many values.");
  }
  return values;
}

function countMatches(text: string, form: RegExp): number {
  let count = 0;
  for (const _ of text.matchAll(form)) count++;
  return count;
}

function assertWithin(
  count: number,
  text: string,
  { any, length, max }: { readonly any: number; readonly length: number; readonly max: number },
): void {
  if (count <= Math.min(max, any + text.length / length)) return;
  throw new DocumentTooLargeError("The document has too many values.");
}

/** True when the value, with what is shared counted once for each use, has more than `maxNodes` nodes. */
function expandsBeyond(value: unknown, maxNodes: number): boolean {
  const open = [value];
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > maxNodes + 1) return true;
    const next = open.pop();
    if (typeof next === "object" && next !== null) {
      for (const inner of Object.values(next)) open.push(inner);
    }
  }
  return false;
}

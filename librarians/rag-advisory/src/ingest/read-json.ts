import { basename } from "node:path";
import { createChunkNaming, type DocumentReader, rowChunks } from "./document.js";
import { type JsonText, jsonLines, jsonValues } from "./json-values.js";
import { readTexts } from "./read-texts.js";

/** Reads a JSON array of objects, or objects one after the other. */
export const readJson = createReader(jsonValues);

/** Reads one object a line. */
export const readJsonLines = createReader(jsonLines);

function createReader(
  splitTexts: (texts: AsyncIterable<string>) => AsyncIterable<JsonText>,
): DocumentReader {
  return async function* ({ name, path }, settings) {
    const naming = createChunkNaming(name);
    for await (const { text, line } of splitTexts(readTexts(path, settings.signal))) {
      const value = parsed(text);
      if (isObject(value)) yield* rowChunks(value, line, naming, basename(name), settings);
      else {
        const got = value === undefined ? "something that is no JSON" : text.slice(0, 40);
        yield { problem: { line, message: `expected a JSON object, got ${got}` } };
      }
    }
  };
}

/** What a text is as JSON; undefined when it is not JSON, as many lines of a file may be: without the cost of a stack for each. */
function parsed(text: string): unknown {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

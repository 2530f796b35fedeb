import { basename } from "node:path";
import { createChunkNaming, DocumentError, type DocumentReader, rowChunks } from "./document.js";
import { readTexts } from "./read-texts.js";

/** The text of one value, and the line it begins in. */
export interface JsonText {
  readonly text: string;
  readonly line: number;
}

/** Characters of one value. */
const maxLength = 1_000_000;

/** Cuts a text into its lines, empty ones left out. */
export async function* jsonLines(texts: AsyncIterable<string>): AsyncGenerator<JsonText> {
  let rest = "";
  let line = 0;
  for await (const piece of texts) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop() ?? "";
    for (const text of lines) {
      line++;
      if (text.trim() !== "") yield { text, line };
    }
    if (rest.length > maxLength) throw tooLong(line + 1);
  }
  if (rest.trim() !== "") yield { text: rest, line: line + 1 };
}

/**
 * Cuts a JSON array, or values one after the other, into the texts of its values, without reading
 * them: one that is not JSON costs no other.
 */
export async function* jsonValues(texts: AsyncIterable<string>): AsyncGenerator<JsonText> {
  /** Open brackets inside the value, and whether a string is open. */
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let value = "";
  let line = 1;
  let begin = 1;
  let isFirst = true;
  for await (const piece of texts) {
    /** Where the part of the value begins that is in this piece. */
    let from = 0;
    for (let at = 0; at < piece.length; at++) {
      const mark = piece.charAt(at);
      if (mark === "\n") line++;
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (mark === "\\") isEscaped = true;
        else if (mark === '"') isString = false;
        continue;
      }
      const isOutside = depth === 0;
      if (
        isOutside &&
        (mark === "," || mark === "]" || /\s/.test(mark) || (isFirst && mark === "["))
      ) {
        if (mark === "[") isFirst = false;
        const text = value + piece.slice(from, at);
        if (text !== "") yield { text, line: begin };
        value = "";
        from = at + 1;
        continue;
      }
      if (value === "" && from === at) begin = line;
      isFirst = false;
      if (mark === '"') isString = true;
      else if (mark === "{" || mark === "[") depth++;
      else if ((mark === "}" || mark === "]") && --depth === 0) {
        yield { text: value + piece.slice(from, at + 1), line: begin };
        value = "";
        from = at + 1;
      }
    }
    value += piece.slice(from);
    if (value.length > maxLength) throw tooLong(begin);
  }
  if (value !== "") yield { text: value, line: begin };
}

function tooLong(line: number): DocumentError {
  return new DocumentError(
    `expected values of at most ${maxLength} characters; is there a quote or a bracket that is not closed?`,
    line,
  );
}

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

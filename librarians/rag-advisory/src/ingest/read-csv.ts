import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { createChunkNaming, DocumentError, type DocumentReader, rowChunks } from "./document.js";
import { readTexts } from "./read-texts.js";

/** Characters of one row: a quote that is never closed ends here. */
const maxRowLength = 1_000_000;
/** Characters of the name of a column, which each row repeats. */
const maxNameLength = 200;

interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Reads CSV with a row of column names, parted by commas, semicolons or tabs. */
export const readCsv: DocumentReader = async function* ({ name, path }, settings) {
  const naming = createChunkNaming(name);
  const parser = parse({
    delimiter: await detectDelimiter(path, settings.signal),
    info: true,
    ltrim: true,
    max_record_size: maxRowLength,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  // A failure of the file rejects the loop over the parser.
  const piped = pipeline(shortTexts(path, settings.signal), parser).catch(() => undefined);
  let columns: readonly string[] | undefined;
  try {
    for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
      if (columns === undefined) {
        columns = checkColumns(
          record.map((column) => column.trim()),
          info.lines,
        );
      } else if (record.length === columns.length) {
        const values = Object.fromEntries(columns.map((column, at) => [column, record[at] ?? ""]));
        yield* rowChunks(values, info.lines, naming, basename(name), settings);
      } else {
        const message = `expected ${columns.length} values, one for every column, got ${record.length}`;
        yield { problem: { line: info.lines, message } };
      }
    }
  } catch (thrown) {
    if (!(thrown instanceof CsvError)) throw thrown;
    const line = typeof thrown.lines === "number" ? thrown.lines : undefined;
    throw new DocumentError("expected CSV to the end; is there a quote that is not closed?", line);
  } finally {
    parser.destroy();
    await piped;
  }
};

/** A file in pieces that take the parser a few milliseconds, whatever is in them. */
async function* shortTexts(path: string, signal: AbortSignal | undefined): AsyncGenerator<string> {
  for await (const text of readTexts(path, signal)) {
    for (let at = 0; at < text.length; at += maxPieceLength) {
      yield text.slice(at, at + maxPieceLength);
    }
  }
}

const maxPieceLength = 8_192;

async function detectDelimiter(path: string, signal: AbortSignal | undefined): Promise<string> {
  for await (const text of readTexts(path, signal)) {
    const [first = ""] = text.split(/\r?\n/, 1);
    const count = (mark: string): number => first.split(mark).length;
    const marks = [",", ";", "\t"].sort((a, b) => count(b) - count(a));
    return marks[0] ?? ",";
  }
  return ",";
}

function checkColumns(columns: readonly string[], line: number): readonly string[] {
  const nameless = columns.indexOf("");
  if (nameless >= 0) {
    throw new DocumentError(
      `expected a name for every column, but column ${nameless + 1} has none`,
      line,
    );
  }
  const long = columns.findIndex((column) => column.length > maxNameLength);
  if (long >= 0) {
    throw new DocumentError(
      `expected names of columns of at most ${maxNameLength} characters, but column ${long + 1} has ${columns[long]?.length}`,
      line,
    );
  }
  const twice = columns.find((column, at) => columns.indexOf(column) !== at);
  if (twice !== undefined) {
    throw new DocumentError(
      `expected every column once, but "${twice.slice(0, 80)}" stands twice`,
      line,
    );
  }
  return columns;
}

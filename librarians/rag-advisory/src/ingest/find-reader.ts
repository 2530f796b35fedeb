import { extname } from "node:path";
import type { DocumentReader } from "./document.js";
import { readCsv } from "./read-csv.js";
import { readJson, readJsonLines } from "./read-json.js";
import { readMarkdown } from "./read-markdown.js";

const readers: Readonly<Record<string, DocumentReader>> = {
  ".md": readMarkdown,
  ".markdown": readMarkdown,
  ".csv": readCsv,
  ".tsv": readCsv,
  ".json": readJson,
  ".jsonl": readJsonLines,
  ".ndjson": readJsonLines,
};

/** What reads a file, by how its name ends; undefined for a kind that is not known. */
export function findReader(path: string): DocumentReader | undefined {
  return readers[extname(path).toLowerCase()];
}

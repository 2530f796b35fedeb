import { lstat, readdir, stat } from "node:fs/promises";
import { extname, join, relative, resolve, sep } from "node:path";
import type { DocumentReader, OpenDocument } from "./document.js";
import type { IngestProblem, IngestSettings } from "./options.js";
import { readCsv } from "./read-csv.js";
import { readJson, readJsonLines } from "./read-json.js";
import { readMarkdown } from "./read-markdown.js";

/** Files to ingest, in the order of their names, and what was left out. */
export interface FoundFiles {
  readonly documents: readonly OpenDocument[];
  readonly problems: readonly IngestProblem[];
}

/** Folders below a path that was given. */
const maxDepth = 16;

/**
 * Finds the files of paths and the folders below them. Names with a dot in front and `node_modules`
 * are left out, links are not followed, and of a folder only files of a known kind are taken.
 */
export async function findFiles(
  paths: readonly string[],
  settings: IngestSettings,
): Promise<FoundFiles> {
  const { root, maxFiles, maxFileBytes, signal } = settings;
  const documents = new Map<string, OpenDocument>();
  const problems: IngestProblem[] = [];
  let tooMany = 0;

  const toRelativeName = (path: string): string =>
    relative(resolve(root), path).split(sep).join("/");

  function take(path: string, bytes: number): void {
    const file = toRelativeName(path);
    if (bytes > maxFileBytes) {
      const message = `expected at most ${maxFileBytes} bytes (maxFileBytes), got ${bytes}`;
      problems.push({ file, message });
    } else if (documents.size < maxFiles || documents.has(path)) {
      documents.set(path, { name: file, path, bytes });
    } else tooMany++;
  }

  async function walk(folder: string, depth: number): Promise<void> {
    signal?.throwIfAborted();
    if (depth > maxDepth) {
      problems.push({
        file: toRelativeName(folder),
        message: `expected at most ${maxDepth} folders in each other`,
      });
      return;
    }
    const names = (await readdir(folder)).sort();
    for (const name of names) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const path = join(folder, name);
      try {
        const found = await lstat(path);
        if (found.isDirectory()) await walk(path, depth + 1);
        else if (findReader(path) === undefined) continue;
        else if (found.isSymbolicLink())
          problems.push({ file: toRelativeName(path), message: "a link is not followed" });
        else take(path, found.size);
      } catch (thrown) {
        signal?.throwIfAborted();
        problems.push({ file: toRelativeName(path), message: unreadable(thrown) });
      }
    }
  }

  for (const given of paths) {
    signal?.throwIfAborted();
    const path = resolve(given);
    try {
      const found = await stat(path);
      if (found.isDirectory()) await walk(path, 1);
      else if (findReader(path) === undefined) {
        problems.push({
          file: given,
          message: "expected .md, .markdown, .csv, .tsv, .json, .jsonl or .ndjson",
        });
      } else take(path, found.size);
    } catch (thrown) {
      signal?.throwIfAborted();
      problems.push({ file: given, message: unreadable(thrown) });
    }
  }
  if (tooMany > 0) {
    const message = `expected at most ${maxFiles} files (maxFiles); ${tooMany} more were left out`;
    problems.push({ file: paths[0] ?? "", message });
  }
  return { documents: [...documents.values()], problems };
}

/** What the file system says, without the path it says it of. */
export function unreadable(thrown: unknown): string {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown";
  return code === "ENOENT" ? "file not found" : `cannot be read (${code})`;
}

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

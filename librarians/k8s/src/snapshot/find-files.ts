import type { Stats } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { basename, extname, join, relative, sep } from "node:path";
import { MeshError } from "@constellation/core";
import type { ReadProblem } from "../cluster/cluster-reader.js";
import type { SnapshotLimits } from "./options.js";

/** A file of a snapshot that may hold something. */
export interface FoundFile {
  readonly path: string;
  /** Below the root, with `/`, for people and for what the place of a file says. */
  readonly place: string;
  readonly bytes: number;
}

const readable: ReadonlySet<string> = new Set([".json", ".yaml", ".yml", ".txt", ".log", ""]);

/**
 * Finds the files of a snapshot, in the order of their places.
 *
 * Symbolic links below the root and hidden files are left out.
 *
 * Files that are not regular, such as a FIFO, are reported and not opened.
 *
 * @throws The system's error when the root itself cannot be read, so that a wrong path is noticed;
 *   MeshError `DATA_SOURCE_ERROR` when it is neither a file nor a folder.
 */
export async function findFiles(
  root: string,
  limits: Required<SnapshotLimits>,
  signal: AbortSignal | undefined,
): Promise<{ readonly files: readonly FoundFile[]; readonly problems: readonly ReadProblem[] }> {
  const files: FoundFile[] = [];
  const problems: ReadProblem[] = [];
  const base = await realpath(root);
  const top = await lstat(base);
  if (!top.isFile() && !top.isDirectory()) throw notReadable(root, top);
  if (top.isFile()) return { files: [{ path: base, place: "", bytes: top.size }], problems };

  const toRelativePath = (path: string) => relative(base, path).split(sep).join("/");
  const tooMany: ReadProblem = {
    code: "tooLarge",
    subject: "snapshot",
    message: `It has more than ${limits.maxFiles} files; the rest was not read.`,
  };

  async function walk(folder: string, depth: number): Promise<void> {
    signal?.throwIfAborted();
    const entries = await readdir(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (entry.name.startsWith(".")) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await enter(path, depth + 1);
      else if (entry.isFile() && readable.has(extname(entry.name))) {
        if (files.length < limits.maxFiles) {
          files.push({ path, place: toRelativePath(path), bytes: (await lstat(path)).size });
        } else if (!problems.includes(tooMany)) problems.push(tooMany);
      } else if (!entry.isFile() && !entry.isSymbolicLink()) {
        const message = `It is ${describeType(entry)}, not a regular file; it was not read.`;
        problems.push({ code: "malformed", subject: toRelativePath(path), message });
      }
    }
  }

  async function enter(path: string, depth: number): Promise<void> {
    const subject = toRelativePath(path);
    if (depth > limits.maxDepth) {
      problems.push({
        code: "tooLarge",
        subject,
        message: "The folder lies too deep; it was not read.",
      });
      return;
    }
    try {
      await walk(path, depth);
    } catch {
      signal?.throwIfAborted();
      problems.push({ code: "forbidden", subject, message: "The folder could not be read." });
    }
  }

  await walk(base, 0);
  return { files, problems };
}

/** What the file system calls something. */
type EntryType = Pick<Stats, "isFIFO" | "isSocket">;

function notReadable(root: string, entry: EntryType): MeshError {
  const name = JSON.stringify(basename(root));
  return new MeshError("DATA_SOURCE_ERROR", `The snapshot ${name} is ${describeType(entry)}.`, {
    suggestion: "Name a regular file or a folder of regular files.",
  });
}

function describeType(entry: EntryType): string {
  if (entry.isFIFO()) return "a FIFO";
  return entry.isSocket() ? "a socket" : "a device";
}

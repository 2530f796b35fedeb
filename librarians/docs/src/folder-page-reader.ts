import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { PageInfo, PageReader } from "./page-reader.js";

const isMarkdown = (name: string) => /\.(?:md|markdown)$/i.test(name);

/**
 * Reads pages from a folder and those below it.
 *
 * Nothing outside the folder is read: a link to a file is followed only while the file lies inside,
 * as in a mounted ConfigMap; a link to a folder is not followed. Names that begin with a dot and
 * `node_modules` are left out.
 */
export function createFolderPageReader(root: string): PageReader {
  return {
    async *list(signal) {
      yield* pagesBelow(await realpath(root), "", signal);
    },
    async read(path, signal) {
      try {
        const realRoot = await realpath(root);
        const file = await realpath(join(realRoot, path));
        signal.throwIfAborted();
        if (!isInside(realRoot, file)) return undefined;
        // The real path has no links: one that is put there meanwhile is not followed.
        const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
        try {
          return await handle.readFile({ encoding: "utf8", signal });
        } finally {
          await handle.close();
        }
      } catch (thrown) {
        if (isGone(thrown)) return undefined;
        throw thrown;
      }
    },
  };
}

async function* pagesBelow(
  realRoot: string,
  folder: string,
  signal: AbortSignal,
): AsyncGenerator<PageInfo> {
  const entries = await readdir(join(realRoot, folder), { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    signal.throwIfAborted();
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      yield* pagesBelow(realRoot, path, signal);
    } else if (isMarkdown(entry.name)) {
      const page = await pageAt(realRoot, path);
      if (page !== undefined) yield page;
    }
  }
}

/** @returns `undefined` when it is gone, is no file, or lies outside the root. */
async function pageAt(realRoot: string, path: string): Promise<PageInfo | undefined> {
  try {
    const file = await realpath(join(realRoot, path));
    if (!isInside(realRoot, file)) return undefined;
    const found = await stat(file);
    if (!found.isFile()) return undefined;
    const { size, mtimeMs, ino } = found;
    return { path, bytes: size, version: `${ino}:${mtimeMs}:${size}` };
  } catch (thrown) {
    if (isGone(thrown)) return undefined;
    throw thrown;
  }
}

function isInside(realRoot: string, file: string): boolean {
  const path = relative(realRoot, file);
  return path !== ".." && !path.startsWith(`..${sep}`) && !isAbsolute(path);
}

function isGone(thrown: unknown): boolean {
  const code = thrown instanceof Error && "code" in thrown ? thrown.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP";
}

import { opendir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { isVisibleName } from "../markdown/visible-text.js";
import { globMatcher } from "./glob.js";
import { isInside, openInside } from "./inside.js";
import { checkLimits, type FolderLimits } from "./limits.js";
import { omission } from "./omission.js";
import type { Omission, PageEntry, PageSource } from "./page-source.js";

/** Options for {@link createMarkdownFolder}. */
export interface MarkdownFolderOptions extends FolderLimits {
  /**
   * Globs of which a page must match one: `*` within a folder, `**` across folders, `{a,b}` either.
   *
   * @default ["*.md", "*.markdown", "*.mdx"]
   */
  readonly include?: readonly string[];
  /**
   * Globs of pages and folders that are left out.
   *
   * @default ["node_modules", ".*"]
   */
  readonly exclude?: readonly string[];
}

/** Globs of the files that are read where no others are named. */
export const markdownFiles: readonly string[] = ["*.md", "*.markdown", "*.mdx"];

/** The defaults of `include` and `exclude`. */
const patterns = { include: markdownFiles, exclude: ["node_modules", ".*"] };

/**
 * Pages in a folder and the folders below it.
 *
 * Nothing outside the folder is ever read, even through links, `..` or absolute paths. A link
 * inside the folder is followed when its target is a file, and not when it is a folder. Devices and
 * pipes are left out. Omitted files are listed in `omissions` with a reason; a file that cannot be
 * read does not affect the others.
 *
 * @param root - The folder. It may be a link itself.
 * @throws {RangeError} For a limit outside its range.
 */
export function createMarkdownFolder(
  root: string,
  options: MarkdownFolderOptions = {},
): PageSource {
  if (typeof root !== "string" || root === "") {
    throw new TypeError(`root: expected the path of a folder, got ${JSON.stringify(root)}`);
  }
  const limits = checkLimits(options);
  const isIncluded = matchesAny(options.include ?? patterns.include);
  const isExcluded = matchesAny(options.exclude ?? patterns.exclude);

  /** Where the root led when it was listed last. */
  let listedRoot: string | undefined;

  return {
    async list(signal) {
      const realRoot = await realpath(root);
      listedRoot = realRoot;
      const found: PageEntry[] = [];
      const omissions: Omission[] = [];
      const sort = (looked: readonly (PageEntry | Omission)[]): void => {
        for (const page of looked) {
          if ("reason" in page) omissions.push(page);
          else found.push(page);
        }
      };
      const folders: { readonly path: string; readonly depth: number }[] = [{ path: "", depth: 0 }];
      for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
        signal?.throwIfAborted();
        let names: readonly { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }[];
        try {
          names = await namesIn(join(realRoot, folder.path));
        } catch (thrown) {
          if (folder.path === "") throw thrown;
          omissions.push(omission(folder.path, "unreadable"));
          continue;
        }
        const looks: Promise<PageEntry | Omission>[] = [];
        for (const entry of names) {
          const file = folder.path === "" ? entry.name : `${folder.path}/${entry.name}`;
          if (isExcluded(file)) continue;
          if (!isVisibleName(entry.name)) {
            if (entry.isDirectory() || isIncluded(file))
              omissions.push(omission(file, "unsafe-name"));
            continue;
          }
          if (entry.isDirectory()) {
            if (folder.depth < limits.maxDepth)
              folders.push({ path: file, depth: folder.depth + 1 });
            else omissions.push(omission(file, "too-deep"));
          } else if (isIncluded(file)) {
            looks.push(inspectFile(realRoot, file, entry.isSymbolicLink(), limits.maxFileBytes));
          }
          if (looks.length === looksAtOnce) sort(await Promise.all(looks.splice(0)));
          signal?.throwIfAborted();
        }
        sort(await Promise.all(looks));
      }
      return withinTotals(found, omissions, limits);
    },

    async read(file, signal) {
      signal?.throwIfAborted();
      let realRoot: string;
      try {
        realRoot = listedRoot ?? (await realpath(root));
      } catch {
        return omission(file, "unreadable");
      }
      const opened = await openInside(realRoot, file);
      if (typeof opened === "string") return omission(file, opened);
      const { handle, bytes: size } = opened;
      try {
        if (size > limits.maxFileBytes) return omission(file, "too-large");
        const bytes = Buffer.alloc(size + 1);
        let length = 0;
        while (length < bytes.length) {
          signal?.throwIfAborted();
          const { bytesRead } = await handle.read(bytes, length, bytes.length - length, length);
          if (bytesRead === 0) break;
          length += bytesRead;
        }
        if (length > size) return omission(file, "growing");
        return bytes.subarray(0, length);
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        return omission(file, "unreadable");
      } finally {
        await handle.close();
      }
    },

    async check(signal) {
      signal?.throwIfAborted();
      const folder = await opendir(root);
      await folder.close();
    },
  };
}

/** Number of files that are inspected concurrently. */
const looksAtOnce = 32;

function matchesAny(globs: readonly string[]): (file: string) => boolean {
  const matchers = globs.map(globMatcher);
  return (file) => matchers.some((matches) => matches(file));
}

async function namesIn(
  path: string,
): Promise<readonly { name: string; isDirectory(): boolean; isSymbolicLink(): boolean }[]> {
  const names = [];
  for await (const entry of await opendir(path)) names.push(entry);
  return names.sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function inspectFile(
  realRoot: string,
  file: string,
  isLink: boolean,
  maxFileBytes: number,
): Promise<PageEntry | Omission> {
  try {
    const path = join(realRoot, ...file.split("/"));
    // The folder itself is real, since links to folders are not followed.
    if (isLink && !isInside(realRoot, await realpath(path))) return omission(file, "outside-root");
    const found = await stat(path);
    if (!found.isFile()) return omission(file, "not-a-file");
    if (found.size > maxFileBytes) return omission(file, "too-large");
    return { file, bytes: found.size, modifiedMs: found.mtimeMs };
  } catch {
    return omission(file, "unreadable");
  }
}

function withinTotals(
  found: readonly PageEntry[],
  omissions: readonly Omission[],
  limits: Required<FolderLimits>,
): { readonly pages: readonly PageEntry[]; readonly omissions: readonly Omission[] } {
  const pages: PageEntry[] = [];
  const left = [...omissions];
  let bytes = 0;
  for (const page of [...found].sort((a, b) => (a.file < b.file ? -1 : 1))) {
    if (pages.length >= limits.maxFiles) left.push(omission(page.file, "too-many-files"));
    else if (bytes + page.bytes > limits.maxTotalBytes)
      left.push(omission(page.file, "too-many-bytes"));
    else {
      pages.push(page);
      bytes += page.bytes;
    }
  }
  return { pages, omissions: left.sort((a, b) => (a.file < b.file ? -1 : 1)) };
}

import { readdir, stat } from "node:fs/promises";
import { basename, join, relative, resolve } from "node:path";
import { FileRefusedError, readFileBounded } from "@constellation/authoring";
import { createAssembler } from "./assemble.js";
import type { Catalog, CatalogProblem, CatalogStore } from "./catalog.js";
import { type ReadCatalog, readCatalogText } from "./read-catalog.js";
import { compareText } from "./versions.js";

/** Options for {@link createFileCatalog}. */
export interface FileCatalogOptions {
  /**
   * How long, in milliseconds, the files are taken to be unchanged before they are looked at again.
   *
   * @default 1_000
   */
  readonly refreshMs?: number | undefined;
}

/** The defaults named in {@link FileCatalogOptions}. */
export const fileCatalogDefaults = { refreshMs: 1_000 } as const;

const maxFiles = 10_000;
/** Maximum size of one file, and of all together. */
const maxFileBytes = 4 * 1024 * 1024;
const maxTotalBytes = 64 * 1024 * 1024;

interface CachedFile {
  readonly stamp: string;
  readonly bytes: number;
  readonly read: ReadCatalog;
}

/**
 * Reads a catalog from a YAML or JSON file, or from every `.yaml`, `.yml` and `.json` file of a folder and
 * below. Symbolic links in it are not followed. Changed files are read again; versions that were read stay
 * as they were. A file of more than 4 MiB or 250,000 values, what follows 64 MiB in all, and what is not a regular
 * file are listed in `problems` and left out.
 *
 * @returns A store whose `read` rejects when file or folder cannot be read at all, or is neither of the two.
 */
export function createFileCatalog(path: string, options: FileCatalogOptions = {}): CatalogStore {
  const { refreshMs = fileCatalogDefaults.refreshMs } = options;
  const root = resolve(path);
  const { assemble } = createAssembler();
  let files = new Map<string, CachedFile>();
  let catalog: Catalog | undefined;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<Catalog> | undefined;

  async function look(): Promise<Catalog> {
    const { names, problems } = await listFiles(root);
    const found = new Map<string, CachedFile>();
    let room = maxTotalBytes;
    for (const name of names) {
      const one = await readOne(name, room);
      room -= one.bytes;
      found.set(name, one);
    }
    const isSame =
      found.size === files.size &&
      [...found].every(([name, { stamp }]) => files.get(name)?.stamp === stamp);
    if (catalog === undefined || !isSame) {
      catalog = assemble([
        { entries: [], problems },
        ...[...found.values()].map(({ read }) => read),
      ]);
    }
    files = found;
    lookedAt = performance.now();
    return catalog;
  }

  async function readOne(name: string, room: number): Promise<CachedFile> {
    const shownAs = relative(root, name) || basename(name);
    try {
      const { mtimeMs, size, ino } = await stat(name);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      const known = files.get(name);
      if (known?.stamp === stamp) return known;
      const bytes = await readFileBounded(name, {
        maxBytes: Math.min(maxFileBytes, room),
        shownAs,
      });
      return { stamp, bytes: size, read: readCatalogText(bytes.toString("utf8"), shownAs) };
    } catch (thrown) {
      const message =
        thrown instanceof FileRefusedError
          ? thrown.message.slice(shownAs.length + 2)
          : "cannot be read";
      return { stamp: "unreadable", bytes: 0, read: refused(shownAs, message) };
    }
  }

  return {
    read(signal) {
      if (signal?.aborted === true) return Promise.reject(signal.reason);
      if (catalog !== undefined && performance.now() - lookedAt < refreshMs) {
        return Promise.resolve(catalog);
      }
      looking ??= look().finally(() => {
        looking = undefined;
      });
      return looking;
    },
  };
}

async function listFiles(root: string) {
  const problems: CatalogProblem[] = [];
  const found = await stat(root);
  if (found.isFile()) return { names: [root], problems };
  if (!found.isDirectory()) throw new Error(`${root} is neither a regular file nor a folder`);
  const listed = await readdir(root, { recursive: true, withFileTypes: true });
  const names = listed
    .filter((entry) => !entry.isDirectory() && !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => /\.(?:ya?ml|json)$/i.test(name))
    .filter((name) => !/(?:^|[\\/])\./.test(relative(root, name)))
    .sort(compareText);
  if (names.length > maxFiles) {
    const message = `only the first ${maxFiles} of ${names.length} files are read`;
    problems.push({ level: "error", key: "", message });
  }
  return { names: names.slice(0, maxFiles), problems };
}

function refused(file: string, message: string): ReadCatalog {
  return { entries: [], problems: [{ level: "error", file, key: "", message }] };
}

import { lstat, readdir, readFile, stat } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
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

const mostFiles = 10_000;
const mostBytes = 16 * 1024 * 1024;

interface CachedFile {
  readonly stamp: string;
  readonly read: ReadCatalog;
}

/**
 * Reads a catalog from a YAML or JSON file, or from every `.yaml`, `.yml` and `.json` file of a folder and
 * below. Symbolic links in it are not followed. Changed files are read again; versions that were read stay
 * as they were.
 *
 * @returns A store whose `read` rejects when file or folder cannot be read at all.
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
    for (const name of names) found.set(name, await readOne(name));
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

  async function readOne(name: string): Promise<CachedFile> {
    const shown = relative(root, name) || name;
    try {
      const { mtimeMs, size, ino } = await stat(name);
      const stamp = `${mtimeMs} ${size} ${ino}`;
      const known = files.get(name);
      if (known?.stamp === stamp) return known;
      if (size > mostBytes) return { stamp, read: refused(shown, `more than ${mostBytes} bytes`) };
      return { stamp, read: readCatalogText(await readFile(name, "utf8"), shown) };
    } catch {
      return { stamp: "unreadable", read: refused(shown, "cannot be read") };
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
  if ((await lstat(root)).isFile()) return { names: [root], problems };
  const listed = await readdir(root, { recursive: true, withFileTypes: true });
  const names = listed
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((name) => !/(?:^|[\\/])\./.test(relative(root, name)))
    .sort(compareText);
  if (names.length > mostFiles) {
    const message = `only the first ${mostFiles} of ${names.length} files are read`;
    problems.push({ level: "error", key: "", message });
  }
  return { names: names.slice(0, mostFiles), problems };
}

function refused(file: string, message: string): ReadCatalog {
  return { entries: [], problems: [{ level: "error", file, key: "", message }] };
}

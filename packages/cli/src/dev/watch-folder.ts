import { type FSWatcher, watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";

/** Time for an editor to finish writing, in milliseconds. */
const settleMs = 100;
/** Maximum number of folders that are watched. */
const maxFolders = 500;

const skipped: ReadonlySet<string> = new Set(["node_modules", "dist", "coverage"]);
const extensions: ReadonlySet<string> = new Set([
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".mts",
  ".json",
  ".yaml",
  ".yml",
]);

/**
 * Watches the code and configuration below a folder: modules, JSON and YAML, without `node_modules`,
 * `dist`, `coverage` and hidden folders. Librarians watch their own data.
 *
 * @param changed - Called once for simultaneous changes, with the path of one changed file.
 * @returns A function that stops watching.
 */
export async function watchFolder(
  folder: string,
  changed: (path: string) => void,
): Promise<() => void> {
  const watchers = new Map<string, FSWatcher>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function notice(path: string): void {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void watchBelow(folder).then(() => changed(path)); // the folder may be new
    }, settleMs);
  }

  async function watchBelow(path: string): Promise<void> {
    if (isClosed) return;
    if (!watchers.has(path)) {
      if (watchers.size >= maxFolders) return;
      try {
        const watcher = watch(path, (_event, name) => {
          if (name !== null && isWatched(name)) notice(join(path, name));
        });
        watcher.on("error", () => {
          watcher.close();
          watchers.delete(path);
        });
        watchers.set(path, watcher);
      } catch {
        return; // it is gone
      }
    }
    const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const isSkipped = skipped.has(entry.name) || entry.name.startsWith(".");
      if (entry.isDirectory() && !isSkipped) await watchBelow(join(path, entry.name));
    }
  }

  await watchBelow(folder);
  return () => {
    isClosed = true;
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  };
}

/** A name without an extension may be a new folder. */
function isWatched(name: string): boolean {
  const extension = extname(name);
  return !name.startsWith(".") && (extension === "" || extensions.has(extension));
}

import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Creates a folder, with the missing folders above it.
 *
 * Unlike `mkdir` with `recursive`, it always returns: on Node.js 20 that one never does where the system reports `ENOENT` for a folder
 * whose parent exists, as `/proc` does.
 *
 * @param mode - Permissions of each folder that is created.
 * @returns The topmost folder that was created; `undefined` when the folder existed.
 * @throws The error of Node.js when a folder cannot be created: `EEXIST` names the file that is in the way, `EACCES`, `EROFS`.
 */
export function createFolder(path: string, mode = 0o777): string | undefined {
  if (isFolder(path)) return undefined;
  const parent = dirname(path);
  const topmost = parent === path ? undefined : createFolder(parent, mode);
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    if (!isFolder(path)) throw thrown; // else another process has created it meanwhile
  }
  return topmost ?? path;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // `mkdir` says why
  }
}

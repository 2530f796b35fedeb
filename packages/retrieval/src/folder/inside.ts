import { constants } from "node:fs";
import { type FileHandle, lstat, open, realpath } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";

/** Whether a path relative to the root stays inside the root, by its text alone. */
export function isInsideSpelling(file: string): boolean {
  if (file === "" || file.includes("\0") || file.includes("\\")) return false;
  if (isAbsolute(file) || /^[A-Za-z]:/.test(file)) return false;
  return file.split("/").every((part) => part !== ".." && part !== "." && part !== "");
}

/** Whether a real path lies in a real root. */
export function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** A file that was opened. */
export interface OpenedFile {
  readonly handle: FileHandle;
  /** Its size when it was opened. */
  readonly bytes: number;
}

/**
 * Opens a file for reading if it is a regular file inside the root.
 *
 * Its real path must be inside the root, and still lead to the open file afterwards, so that a link swapped in between is
 * detected. Devices and pipes are opened without waiting for them and closed again.
 *
 * @param root - A real path.
 * @returns The open file, which the caller closes, or the reason for refusing it.
 */
export async function openInside(
  root: string,
  file: string,
): Promise<OpenedFile | "outside-root" | "not-a-file" | "unreadable"> {
  if (!isInsideSpelling(file)) return "outside-root";
  const path = join(root, ...file.split("/"));
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(path);
    if (!isInside(root, real)) return "outside-root";
    handle = await open(
      real,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return await closed(handle, "not-a-file");
    // A folder of the path may have been replaced by a link in between.
    const [again, named] = await Promise.all([realpath(path), lstat(real, { bigint: true })]);
    const isSame = again === real && named.dev === opened.dev && named.ino === opened.ino;
    return isSame ? { handle, bytes: Number(opened.size) } : await closed(handle, "outside-root");
  } catch {
    await handle?.close().catch(() => {});
    return "unreadable";
  }
}

async function closed<Reason>(handle: FileHandle, reason: Reason): Promise<Reason> {
  await handle.close();
  return reason;
}

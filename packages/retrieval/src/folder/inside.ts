import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
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

/**
 * Opens a file for reading if it is a regular file inside the root.
 *
 * The file is opened first and checked afterwards: its real path must be inside the root and still
 * refer to the open file, so that a link swapped in between is detected. Devices and pipes are
 * opened without waiting for them and closed again.
 *
 * @param root - A real path.
 * @returns The open file, which the caller closes, or the reason for refusing it.
 */
export async function openInside(
  root: string,
  file: string,
): Promise<FileHandle | "outside-root" | "not-a-file" | "unreadable"> {
  if (!isInsideSpelling(file)) return "outside-root";
  const path = join(root, ...file.split("/"));
  let handle: FileHandle | undefined;
  try {
    // A link that leads outside is not opened, unless it is swapped in after this line.
    const before = await realpath(path);
    if (!isInside(root, before)) return "outside-root";
    if (!(await stat(before)).isFile()) return "not-a-file";
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const opened = await handle.stat({ bigint: true });
    if (!opened.isFile()) return await closed(handle, "not-a-file");
    const real = await realpath(path);
    if (!isInside(root, real)) return await closed(handle, "outside-root");
    const reopened = await open(
      real,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    );
    try {
      const named = await reopened.stat({ bigint: true });
      if (named.dev !== opened.dev || named.ino !== opened.ino) {
        return await closed(handle, "outside-root");
      }
    } finally {
      await reopened.close();
    }
    return handle;
  } catch {
    await handle?.close().catch(() => {});
    return "unreadable";
  }
}

async function closed<Reason>(handle: FileHandle, reason: Reason): Promise<Reason> {
  await handle.close();
  return reason;
}

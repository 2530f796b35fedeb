import { constants } from "node:fs";
import { type FileHandle, open, readdir, rename, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createFolder } from "../create-folder.js";

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

/** Limits at which {@link appendLines} rotates a file. */
export interface FileLimits {
  /** Maximum size of the file, in bytes, unless one line alone is larger. */
  readonly maxFileBytes: number;
  /** Age of the file, in milliseconds. */
  readonly maxFileAgeMs: number;
}

/**
 * Appends lines to a file that only its owner may read, and returns once they are on disk. A last line that a crash cut
 * short is closed first, so that the next line stays intact; lines that a full disk cut short are removed. A file
 * that would grow beyond its limits is renamed to `{file}.{time}`, and a new one begun.
 *
 * @param lines - Each with its line feed.
 * @returns How many of the lines were appended, 1 or more: those that the file has room for.
 * @throws {Error} When the path is not a regular file, or the file cannot be written.
 */
export async function appendLines(
  file: string,
  lines: readonly string[],
  { maxFileBytes, maxFileAgeMs }: FileLimits,
): Promise<number> {
  let handle = await openForAppend(file);
  try {
    let { size, birthtimeMs, mtimeMs } = await handle.stat();
    const [first = ""] = lines;
    const age = Date.now() - (birthtimeMs || mtimeMs); // not every file system knows when a file was made
    if (size > 0 && (size + Buffer.byteLength(first) > maxFileBytes || age > maxFileAgeMs)) {
      await handle.close();
      await rename(file, await freeName(file));
      handle = await openForAppend(file);
      ({ size } = await handle.stat());
    }
    let count = 0;
    let end = size;
    for (const line of lines) {
      const bytes = Buffer.byteLength(line);
      if (count > 0 && end + bytes > maxFileBytes) break;
      end += bytes;
      count++;
    }
    const isTorn = await hasTornTail(handle);
    const text = `${isTorn ? "\n" : ""}${lines.slice(0, count).join("")}`;
    await appendWhole(handle, Buffer.from(text), size);
    return count;
  } finally {
    await handle.close();
  }
}

/** Appends everything, or nothing when the disk is full. */
async function appendWhole(handle: FileHandle, content: Buffer, size: number): Promise<void> {
  try {
    await writeAll(handle, content);
    await handle.datasync();
  } catch (thrown) {
    await takeBack(handle, size, content);
    throw thrown;
  }
}

/** Rejects where the disk has room for a part of it only. */
async function writeAll(handle: FileHandle, content: Buffer): Promise<void> {
  for (let written = 0; written < content.length; ) {
    const { bytesWritten } = await handle.write(content, written, content.length - written);
    written += bytesWritten;
  }
}

/** Removes the part of `content` that was written after `size`, unless another process has appended after it. */
async function takeBack(handle: FileHandle, size: number, content: Buffer): Promise<void> {
  try {
    const written = (await handle.stat()).size - size;
    if (written <= 0 || written > content.length) return;
    const { buffer } = await handle.read(Buffer.alloc(written), 0, written, size);
    if (buffer.equals(content.subarray(0, written))) await handle.truncate(size);
  } catch {
    // The torn line is closed by the next append.
  }
}

/** Opens a file without waiting for the other end of a pipe; creates it, and its folder, when it does not exist. */
async function openForAppend(file: string): Promise<FileHandle> {
  const isNew = await stat(file).then(
    () => false,
    () => true,
  );
  const folder = dirname(file);
  if (isNew) createFolder(folder);
  const handle = await open(file, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    if (!(await handle.stat()).isFile()) {
      throw new Error(`"${file}" is not a regular file; name another file for the records.`);
    }
    if (isNew) await syncFolder(folder);
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Syncs the entry of a new file to disk, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r").catch(() => undefined);
  try {
    await handle?.sync();
  } catch {
    // Windows does not sync folders.
  } finally {
    await handle?.close();
  }
}

async function hasTornTail(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { bytesRead, buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== 0x0a;
}

/** A name for a full file that no other file has. */
async function freeName(file: string): Promise<string> {
  const time = new Date().toISOString().replaceAll(/[:.]/g, "-");
  for (let number = 0; ; number++) {
    const name = `${file}.${time}${number === 0 ? "" : `-${String(number).padStart(6, "0")}`}`;
    const isFree = await stat(name).then(
      () => false,
      () => true,
    );
    if (isFree) return name;
  }
}

const asideTime = /^\.\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z(?:-\d{1,6})?$/;

/** Paths of the rotated files, oldest first. */
export async function filesAside(file: string): Promise<readonly string[]> {
  const folder = dirname(file);
  const name = basename(file);
  const names = await readdir(folder).catch(() => []); // a missing folder has no files
  return names
    .filter((each) => each.startsWith(name) && asideTime.test(each.slice(name.length)))
    .sort()
    .map((each) => join(folder, each));
}

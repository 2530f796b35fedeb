import { constants } from "node:fs";
import { type FileHandle, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";

const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

/**
 * Appends lines to a file that only its owner may read, and returns once they are on disk. A last line
 * that a crash or a full disk cut short is closed first, so that it costs no other line. A file that
 * would grow beyond `maxBytes` is put aside as `{file}.{time}` and a new one begun.
 *
 * @param lines - Each with its line feed.
 * @returns How many of the lines were appended, 1 or more: those that the file has room for.
 * @throws {Error} When the path is not a regular file, or the file cannot be written.
 */
export async function appendLines(
  file: string,
  lines: readonly string[],
  maxBytes: number,
): Promise<number> {
  let handle = await openForAppend(file);
  try {
    let { size } = await handle.stat();
    const [first = ""] = lines;
    if (size > 0 && size + Buffer.byteLength(first) > maxBytes) {
      await handle.close();
      await rename(file, await freeName(file));
      handle = await openForAppend(file);
      ({ size } = await handle.stat());
    }
    let count = 0;
    for (const line of lines) {
      const bytes = Buffer.byteLength(line);
      if (count > 0 && size + bytes > maxBytes) break;
      size += bytes;
      count++;
    }
    const isTorn = await hasTornTail(handle);
    await handle.appendFile(`${isTorn ? "\n" : ""}${lines.slice(0, count).join("")}`);
    await handle.datasync();
    return count;
  } finally {
    await handle.close();
  }
}

/** Opens a file without waiting for the other end of a pipe; makes it, and its folder, when there is none. */
async function openForAppend(file: string): Promise<FileHandle> {
  const isNew = await stat(file).then(
    () => false,
    () => true,
  );
  const folder = dirname(file);
  if (isNew) await mkdir(folder, { recursive: true });
  const handle = await open(file, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
  try {
    if (!(await handle.stat()).isFile()) {
      throw new Error(`"${file}" is not a regular file; name another file for the evidence.`);
    }
    if (isNew) await syncFolder(folder);
    return handle;
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Puts the name of a new file on disk, where the system can. */
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
    const name = `${file}.${time}${number === 0 ? "" : `-${number}`}`;
    const isFree = await stat(name).then(
      () => false,
      () => true,
    );
    if (isFree) return name;
  }
}

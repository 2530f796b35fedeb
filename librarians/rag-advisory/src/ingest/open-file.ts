import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { DocumentError } from "./document.js";

const chunkBytes = 256 * 1024;

/** A regular file, open for reading, with the size it had then. */
interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Reads the bytes of a regular file, as many as it had when it was opened.
 *
 * @throws {DocumentError} For a pipe, a device or anything else that is not a regular file, and for a
 *   file that grows while it is read.
 */
export async function* readBytes(path: string, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const { handle, size } = await openFile(path);
  try {
    let read = 0;
    for (;;) {
      signal?.throwIfAborted();
      // One byte more than there was shows that the file has grown.
      const wanted = Math.min(chunkBytes, size - read + 1);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(wanted), 0, wanted, read);
      if (bytesRead === 0) return;
      read += bytesRead;
      if (read > size) {
        throw new DocumentError(
          "the file grew while it was read; ingest it again when it is whole",
        );
      }
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** Reads a whole regular file of at most so many bytes. */
export async function readWhole(
  path: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of readBytes(path, signal)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new DocumentError(`expected at most ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

async function openFile(path: string): Promise<OpenFile> {
  // A pipe without a writer would keep the process waiting.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new DocumentError(notRegular(stats));
    return { handle, size: stats.size };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** What a path names that is not a regular file, as a problem says it. */
export function notRegular(stats: {
  isFIFO(): boolean;
  isSocket(): boolean;
  isDirectory(): boolean;
}): string {
  const kind = stats.isFIFO()
    ? "a pipe"
    : stats.isSocket()
      ? "a socket"
      : stats.isDirectory()
        ? "a folder"
        : "a device";
  return `expected a regular file, got ${kind}`;
}

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { throwIfAborted } from "./abort-error.js";

/** Bounds of {@link readFileBounded}. */
export interface FileBounds {
  /** Largest file that is read, in bytes. Integer, 0 or more. */
  readonly maxBytes: number;
  /** Ends the read between two blocks of 256 KiB. */
  readonly signal?: AbortSignal | undefined;
  /** How errors name the file. @default the path */
  readonly shownAs?: string | undefined;
}

/** Why a file was refused: it is not a regular file, is larger than allowed, or grew while it was read. */
export type FileRefusal = "not-regular" | "too-large" | "grew";

/** A file that {@link readFileBounded} does not read. The message names the file and says why. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly refusal: FileRefusal;

  constructor(refusal: FileRefusal, message: string) {
    super(message);
    this.refusal = refusal;
  }
}

const blockBytes = 262_144;

/**
 * Reads a regular file whole. Never waits for a FIFO, and never reads a device or a directory.
 *
 * @throws FileRefusedError for anything but a regular file within `maxBytes` that keeps its size;
 *   the error of Node.js (`ENOENT`, `EACCES`) when it cannot be opened; `TIMEOUT` on abort.
 */
export async function readFileBounded(path: string, bounds: FileBounds): Promise<Buffer> {
  const { maxBytes, signal, shownAs = path } = bounds;
  throwIfAborted(signal);
  // Without O_NONBLOCK, opening a FIFO waits for its other end in a thread that no signal reaches.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) {
      throw new FileRefusedError("not-regular", `${shownAs}: is ${kindOf(stats)}, not a file.`);
    }
    if (stats.size > maxBytes) {
      throw new FileRefusedError(
        "too-large",
        `${shownAs}: has ${stats.size} bytes; at most ${maxBytes} are read.`,
      );
    }
    return await readAll(file, stats.size, { signal, shownAs });
  } finally {
    await file.close();
  }
}

/** @throws FileRefusedError when there is more than `size` bytes. */
async function readAll(
  file: FileHandle,
  size: number,
  { signal, shownAs }: { readonly signal: AbortSignal | undefined; readonly shownAs: string },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size + 1); // one more, to see that it grew
  let length = 0;
  while (length < bytes.length) {
    throwIfAborted(signal);
    const count = Math.min(blockBytes, bytes.length - length);
    const { bytesRead } = await file.read(bytes, length, count, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  if (length > size) {
    throw new FileRefusedError("grew", `${shownAs}: grew while it was read. Try again later.`);
  }
  return bytes.subarray(0, length);
}

interface FileKind {
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}

function kindOf(stats: FileKind): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a FIFO";
  if (stats.isSocket()) return "a socket";
  return stats.isCharacterDevice() || stats.isBlockDevice() ? "a device" : "something else";
}

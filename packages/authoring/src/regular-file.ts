import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Why a file was refused: it is not a regular file, is larger than allowed, or grew while it was read. */
export type FileRefusal = "not-regular" | "too-large" | "grew";

/** A refused file. The message names the file and the reason. */
export class FileRefusedError extends Error {
  override readonly name = "FileRefusedError";
  readonly refusal: FileRefusal;
  /** The message without the name of the file. */
  readonly detail: string;

  constructor(refusal: FileRefusal, shownAs: string, detail: string) {
    super(`${shownAs}: ${detail}`);
    this.refusal = refusal;
    this.detail = detail;
  }
}

/** A regular file, open for reading, with the size it had then, in bytes. */
export interface RegularFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/**
 * Opens a regular file for reading. The caller closes `handle`.
 *
 * @throws FileRefusedError for anything but a regular file; the error of Node.js (`ENOENT`, `EACCES`)
 *   when it cannot be opened.
 */
export async function openRegularFile(path: string, shownAs: string): Promise<RegularFile> {
  // Without O_NONBLOCK, opening a FIFO waits for its other end in a thread that no signal reaches.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) {
      throw new FileRefusedError(
        "not-regular",
        shownAs,
        `is ${describeFileKind(stats)}, not a file.`,
      );
    }
    return { handle, size: stats.size };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

interface FileKind {
  isDirectory(): boolean;
  isFIFO(): boolean;
  isSocket(): boolean;
  isCharacterDevice(): boolean;
  isBlockDevice(): boolean;
}

function describeFileKind(stats: FileKind): string {
  if (stats.isDirectory()) return "a directory";
  if (stats.isFIFO()) return "a FIFO";
  if (stats.isSocket()) return "a socket";
  return stats.isCharacterDevice() || stats.isBlockDevice() ? "a device" : "something else";
}

import { throwIfAborted } from "@constellation/core";
import { FileRefusedError, openRegularFile } from "./regular-file.js";

/** Options for {@link readFileBlocks}. */
export interface FileBlockOptions {
  /** Maximum size of the file, in bytes. Integer, 0 or more. @default Infinity */
  readonly maxBytes?: number | undefined;
  /** Ends the read between two blocks. */
  readonly signal?: AbortSignal | undefined;
  /** How errors name the file. @default the path */
  readonly shownAs?: string | undefined;
}

const blockBytes = 262_144;

/**
 * Reads a regular file in blocks of at most 256 KiB, up to the size that it had when it was opened. Never
 * waits for a FIFO, and never reads a device or a directory.
 *
 * @throws FileRefusedError for anything but a regular file within `maxBytes` that keeps its size; the
 *   error of Node.js (`ENOENT`, `EACCES`) when it cannot be opened; `TIMEOUT` on abort.
 */
export async function* readFileBlocks(
  path: string,
  { maxBytes = Number.POSITIVE_INFINITY, signal, shownAs = path }: FileBlockOptions = {},
): AsyncGenerator<Buffer> {
  throwIfAborted(signal);
  const { handle, size } = await openRegularFile(path, shownAs);
  try {
    if (size > maxBytes) {
      const detail = `has ${size} bytes; at most ${maxBytes} are read.`;
      throw new FileRefusedError("too-large", shownAs, detail);
    }
    let read = 0;
    for (;;) {
      throwIfAborted(signal);
      const length = Math.min(blockBytes, size - read + 1); // one more, to see that it grew
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, read);
      if (bytesRead === 0) return;
      read += bytesRead;
      if (read > size) {
        const detail = "grew while it was read. Try again later.";
        throw new FileRefusedError("grew", shownAs, detail);
      }
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

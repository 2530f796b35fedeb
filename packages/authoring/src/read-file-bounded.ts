import { readFileBlocks } from "./read-file-blocks.js";

/** Bounds of {@link readFileBounded}. */
export interface FileBounds {
  /** Maximum size of the file, in bytes. Integer, 0 or more. */
  readonly maxBytes: number;
  /** Ends the read between two blocks of 256 KiB. */
  readonly signal?: AbortSignal | undefined;
  /** How errors name the file. @default the path */
  readonly shownAs?: string | undefined;
}

/**
 * Reads a regular file whole. Never waits for a FIFO, and never reads a device or a directory.
 *
 * @throws FileRefusedError for anything but a regular file within `maxBytes` that keeps its size;
 *   the error of Node.js (`ENOENT`, `EACCES`) when it cannot be opened; `TIMEOUT` on abort.
 */
export async function readFileBounded(path: string, bounds: FileBounds): Promise<Buffer> {
  const blocks: Buffer[] = [];
  for await (const block of readFileBlocks(path, bounds)) blocks.push(block);
  return Buffer.concat(blocks);
}

import { FileRefusedError, readFileBlocks } from "@constellation/authoring";
import { DocumentError } from "./document.js";

/**
 * Reads the bytes of a regular file, block by block.
 *
 * @throws {DocumentError} For a FIFO, a device or anything else that is not a regular file, for a file
 *   above `maxBytes`, and for one that grows while it is read.
 */
export async function* readBytes(
  path: string,
  options: { readonly maxBytes?: number; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<Buffer> {
  try {
    yield* readFileBlocks(path, options);
  } catch (thrown) {
    if (!(thrown instanceof FileRefusedError)) throw thrown;
    throw new DocumentError(thrown.detail);
  }
}

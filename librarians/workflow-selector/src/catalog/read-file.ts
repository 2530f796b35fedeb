import { constants } from "node:fs";
import { open } from "node:fs/promises";

/** A file's identity at one moment: equal stamps mean equal content. */
export type FileStamp = string;

/** The text of a file, or why it was refused. */
export type ReadFile =
  | { readonly stamp: FileStamp; readonly text: string }
  | { readonly stamp: FileStamp; readonly refusal: string }
  | { readonly stamp: FileStamp; readonly isKnown: true };

/**
 * Reads a regular file as UTF-8. A FIFO, a socket, a device, a folder, a file that is larger than the limit and one
 * that grows while it is read are refused. Opening never waits for a writer.
 *
 * @param known - A stamp whose content the caller has: the file is then not read again.
 */
export async function readFileWithin(
  path: string,
  maxBytes: number,
  known?: FileStamp,
): Promise<ReadFile> {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return { stamp: "unreadable", refusal: "cannot be read" };
  }
  try {
    const found = await file.stat();
    const stamp = `${found.mtimeMs} ${found.size} ${found.ino}`;
    if (!found.isFile()) return { stamp, refusal: "is not a regular file" };
    if (found.size > maxBytes) return { stamp, refusal: `has more than ${maxBytes} bytes` };
    if (stamp === known) return { stamp, isKnown: true };
    const bytes = Buffer.alloc(found.size + 1); // room to notice that it grows
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length);
      length += bytesRead;
      if (bytesRead === 0) break;
      if (length > found.size) return { stamp, refusal: "grew while it was read" };
    }
    return { stamp, text: bytes.toString("utf8", 0, length) };
  } catch {
    return { stamp: "unreadable", refusal: "cannot be read" };
  } finally {
    await file.close();
  }
}

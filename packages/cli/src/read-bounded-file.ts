import { isUtf8 } from "node:buffer";
import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { ConfigurationError } from "./configuration-error.js";

/** A file to read, and how much of it at most. */
export interface BoundedFile {
  readonly path: string;
  /** How errors name it. */
  readonly shown: string;
  /** What it is, as in "more than a mesh file may have". */
  readonly what: string;
  readonly maxBytes: number;
  /** What to do when it does not exist. */
  readonly advice?: string;
}

/**
 * Reads a text file. A FIFO, a device, a folder and a file that grows beyond the limit while it is
 * read are refused.
 *
 * @throws ConfigurationError that says why it cannot be read.
 */
export async function readBoundedFile(file: BoundedFile): Promise<string> {
  const { path, shown, advice = "" } = file;
  let handle: FileHandle | undefined;
  try {
    // Opening a FIFO would wait for a writer without O_NONBLOCK.
    handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw notAFile(shown);
    const bytes = await readAtMost(handle, file);
    if (!isUtf8(bytes)) {
      throw new ConfigurationError(`${shown}: is not UTF-8 text. Save it as UTF-8.`);
    }
    return bytes.toString("utf8").replace(/^\uFEFF/, "");
  } catch (thrown) {
    if (thrown instanceof ConfigurationError) throw thrown;
    const { code = "unknown reason" } = thrown as NodeJS.ErrnoException;
    // A socket cannot be opened at all.
    if (code === "ENXIO") throw notAFile(shown);
    throw new ConfigurationError(
      code === "ENOENT"
        ? `${shown}: there is no such file.${advice === "" ? "" : ` ${advice}`}`
        : `${shown}: cannot be read (${code}).`,
    );
  } finally {
    await handle?.close();
  }
}

function notAFile(shown: string): ConfigurationError {
  return new ConfigurationError(
    `${shown}: is not a regular file, but a folder, a pipe, a socket or a device. Name a file.`,
  );
}

const chunkBytes = 65_536;

/** What it reads counts, and not what the file system reports, which may change meanwhile. */
async function readAtMost(handle: FileHandle, file: BoundedFile): Promise<Buffer> {
  const { shown, what, maxBytes } = file;
  const chunks: Buffer[] = [];
  let size = 0;
  for (;;) {
    const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes);
    if (bytesRead === 0) return Buffer.concat(chunks, size);
    size += bytesRead;
    if (size > maxBytes) {
      throw new ConfigurationError(
        `${shown}: has more than ${maxBytes} bytes, the maximum for ${what}.`,
      );
    }
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

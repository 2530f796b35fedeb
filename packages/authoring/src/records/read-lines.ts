import { throwIfAborted } from "@constellation/core";
import { openRegularFile } from "../regular-file.js";

const blockBytes = 262_144;
const lineFeed = 0x0a;

/**
 * Reads the lines that a file has when it is opened, however large it is. A line of more than `maxLineBytes` is left out.
 * A missing file has none.
 *
 * @throws FileRefusedError for anything but a regular file; the error of Node.js (`EACCES`) when it cannot be read;
 *   `TIMEOUT` on abort.
 */
export async function* readLines(
  path: string,
  maxLineBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const file = await openRegularFile(path, path).catch((thrown: unknown) => {
    if (Object(thrown).code === "ENOENT") return undefined;
    throw thrown;
  });
  if (file === undefined) return;
  const { handle, size } = file;
  let line: Buffer[] = [];
  let lineBytes = 0;
  try {
    for (let position = 0; position < size; ) {
      throwIfAborted(signal);
      const length = Math.min(blockBytes, size - position);
      const { bytesRead, buffer } = await handle.read(
        Buffer.allocUnsafe(length),
        0,
        length,
        position,
      );
      if (bytesRead === 0) break; // the file was truncated meanwhile
      position += bytesRead;
      const block = buffer.subarray(0, bytesRead);
      for (let start = 0; start < bytesRead; ) {
        const end = block.indexOf(lineFeed, start);
        const part = block.subarray(start, end < 0 ? bytesRead : end);
        lineBytes += part.length;
        if (lineBytes <= maxLineBytes) line.push(part);
        start += part.length + 1;
        if (end < 0) continue;
        if (lineBytes > 0 && lineBytes <= maxLineBytes) yield Buffer.concat(line).toString("utf8");
        line = [];
        lineBytes = 0;
      }
    }
    if (lineBytes > 0 && lineBytes <= maxLineBytes) yield Buffer.concat(line).toString("utf8");
  } finally {
    await handle.close();
  }
}

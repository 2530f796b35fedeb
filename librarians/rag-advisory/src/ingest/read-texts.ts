import { TextDecoder } from "node:util";
import { FileRefusedError, readFileBlocks } from "@constellation/authoring";
import { DocumentError } from "./document.js";

/** Reads a file as text, piece by piece: UTF-8, or UTF-16 with a byte order mark. */
export async function* readTexts(path: string, signal?: AbortSignal): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  for await (const piece of readBytes(path, { signal })) {
    decoder ??= new TextDecoder(detectEncoding(piece), { fatal: true });
    yield decoded(decoder, piece);
  }
  if (decoder !== undefined) yield decoded(decoder);
}

function detectEncoding([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function decoded(decoder: TextDecoder, piece?: Buffer): string {
  try {
    const text = piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    if (text.includes("\0")) throw new DocumentError("expected text, got binary data");
    return text;
  } catch (thrown) {
    if (thrown instanceof DocumentError) throw thrown;
    throw new DocumentError("expected UTF-8; save the file in this encoding");
  }
}

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

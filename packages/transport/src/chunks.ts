import { createHash } from "node:crypto";

/** Size of a chunk, in bytes, if the link allows it. */
const chunkBytes = 131_072;

/** Maximum size of one reply, in bytes: a response with its report. */
const maxReplyBytes = 67_108_864;

/** One piece of a reply. */
export interface Chunk {
  readonly index: number;
  readonly count: number;
  /** SHA-256 of the whole reply, in hex; empty for a single piece. */
  readonly digest: string;
  readonly bytes: Uint8Array;
}

/** Splits a reply into pieces of at most `maxBytes`. */
export function splitReply(reply: Uint8Array, maxBytes: number): readonly Chunk[] {
  const size = Math.max(1, Math.min(chunkBytes, maxBytes));
  if (reply.length <= size) return [{ index: 0, count: 1, digest: "", bytes: reply }];
  const count = Math.ceil(reply.length / size);
  const digest = sha256(reply);
  return Array.from({ length: count }, (_, index) => ({
    index,
    count,
    digest,
    bytes: reply.subarray(index * size, (index + 1) * size),
  }));
}

/** Joins the pieces of one reply, which may arrive in any order and more than once. */
export class ReplyBuffer {
  readonly #chunks = new Map<number, Uint8Array>();
  #digest = "";
  #bytes = 0;

  /** @returns The whole reply once all of its pieces have arrived and match; else `undefined`. */
  add({ index, count, digest, bytes }: Chunk): Uint8Array | undefined {
    if (count === 1) return bytes;
    if (digest !== this.#digest) this.#reset(digest); // the reply of another attempt
    if (!this.#chunks.has(index)) {
      this.#bytes += bytes.length;
      if (this.#bytes > maxReplyBytes) return undefined;
      this.#chunks.set(index, bytes);
    }
    if (this.#chunks.size < count) return undefined;
    const pieces = Array.from({ length: count }, (_, at) => this.#chunks.get(at));
    const whole = Buffer.concat(pieces.filter((piece) => piece !== undefined));
    if (sha256(whole) === digest) return whole;
    this.#reset("");
    return undefined;
  }

  #reset(digest: string): void {
    this.#chunks.clear();
    this.#digest = digest;
    this.#bytes = 0;
  }
}

/** Reads the header of a piece. `undefined` if it is not a header. */
export function readChunk(
  { index = 0, count = 1, digest = "" }: Readonly<Record<string, unknown>>,
  bytes: Uint8Array,
): Chunk | undefined {
  const isPlace = Number.isSafeInteger(index) && Number.isSafeInteger(count);
  if (!isPlace || typeof digest !== "string") return undefined;
  const place = { index: index as number, count: count as number }; // checked above
  const maxCount = maxReplyBytes / 1_024;
  if (place.index < 0 || place.index >= place.count || place.count > maxCount) return undefined;
  return { ...place, digest, bytes };
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

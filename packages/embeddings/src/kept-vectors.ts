import { createHash } from "node:crypto";
import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
import { dirname } from "node:path";

/** Vectors of texts, kept in a file between runs. */
export interface KeptVectors {
  find(text: string): Float32Array | undefined;
  /** Adds vectors. Where the file cannot be written they are kept for this run. Never rejects. */
  add(texts: readonly string[], vectors: readonly Float32Array[]): Promise<void>;
}

const hashBytes = 32;
/** Maximum size of a file, in bytes: a larger one is begun anew. */
const maxBytes = 268_435_456;

/**
 * Opens a file of vectors, each with the SHA-256 of its text: texts are not in it. One of another model needs another path. A
 * record that a crash cut short is dropped; a file that cannot be read counts as empty.
 */
export async function openKeptVectors(file: string, dimensions: number): Promise<KeptVectors> {
  const recordBytes = hashBytes + 4 * dimensions;
  const bytes = await readFile(file).catch(() => Buffer.alloc(0));
  const end = bytes.length > maxBytes ? 0 : bytes.length - (bytes.length % recordBytes);
  if (end < bytes.length) await truncate(file, end).catch(() => undefined);
  const known = new Map<string, Float32Array>();
  for (let at = 0; at < end; at += recordBytes) {
    const numbers = Uint8Array.from(bytes.subarray(at + hashBytes, at + recordBytes));
    known.set(bytes.toString("hex", at, at + hashBytes), new Float32Array(numbers.buffer));
  }
  return {
    find: (text) => known.get(hashOf(text)),
    async add(texts, vectors) {
      const records: Buffer[] = [];
      for (const [at, text] of texts.entries()) {
        const hash = hashOf(text);
        const vector = vectors[at];
        if (vector === undefined || known.has(hash)) continue;
        known.set(hash, vector);
        const numbers = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
        records.push(Buffer.from(hash, "hex"), numbers);
      }
      if (records.length === 0) return;
      try {
        await mkdir(dirname(file), { recursive: true });
        // In one piece, so that two processes can add to one file.
        await appendFile(file, Buffer.concat(records), { mode: 0o600 });
      } catch {
        // Made anew at the next start.
      }
    },
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

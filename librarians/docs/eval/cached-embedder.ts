import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "@constellation/retrieval";

const hashBytes = 32;

/**
 * Keeps the vectors of an embedder in a file, by the SHA-256 of the text: a change of the index or of the
 * ranking does not make them anew.
 *
 * @param folder - Where the file is kept; made where it is missing.
 */
export function withCache(embedder: Embedder, folder: string): Embedder {
  const { id, dimensions } = embedder;
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${id.replaceAll(/[^\w.-]/g, "_")}.vectors`);
  const known = new Map<string, Float32Array>();
  const recordBytes = hashBytes + 4 * dimensions;
  const bytes = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  for (let at = 0; at + recordBytes <= bytes.length; at += recordBytes) {
    const numbers = Uint8Array.from(bytes.subarray(at + hashBytes, at + recordBytes));
    known.set(bytes.toString("hex", at, at + hashBytes), new Float32Array(numbers.buffer));
  }
  return {
    id,
    dimensions,
    async embed(texts, options) {
      const hashes = texts.map((text) => createHash("sha256").update(text).digest("hex"));
      const missing = [...new Set(hashes)].filter((hash) => !known.has(hash));
      const asked = missing.map((hash) => texts[hashes.indexOf(hash)] ?? "");
      const made = asked.length === 0 ? [] : await embedder.embed(asked, options);
      const records = missing.map((hash, place) => {
        const vector = Float32Array.from(made[place] ?? []);
        known.set(hash, vector);
        return Buffer.concat([Buffer.from(hash, "hex"), Buffer.from(vector.buffer)]);
      });
      if (records.length > 0) appendFileSync(file, Buffer.concat(records));
      return hashes.map((hash) => known.get(hash) ?? new Float32Array(dimensions));
    },
  };
}

import type { Chunk, ChunkMetadata } from "../src/store/vector-store.js";

/** A chunk for a test: what it does not say is usual. */
export function chunkOf(id: string, text: string, metadata: Partial<ChunkMetadata> = {}): Chunk {
  return {
    id,
    text,
    metadata: { country: "IN", document: "notes.md", source: "Notes", ...metadata },
  };
}

import { createMemoryStore } from "../src/store/memory-store.js";
import type { Chunk, VectorStore } from "../src/store/vector-store.js";
import { vizagNotes, vizagSales } from "./sample-market.js";

/** A store in memory with some chunks; what the tests know of Vizag where none are given. */
export async function storeOf(
  chunks: readonly Chunk[] = [...vizagSales, ...vizagNotes],
): Promise<VectorStore> {
  const store = createMemoryStore();
  await store.add(chunks);
  return store;
}

/** A store whose searches do what is said. */
export function brokenStore(search: () => Promise<never>): VectorStore {
  return { ...createMemoryStore(), search, rows: search };
}

import type { Embedder } from "@constellation/retrieval";
import { afterEach } from "vitest";
import type { Chunk, StoreQuery, VectorStore } from "../src/store/vector-store.js";
import { chunkOf } from "./chunks.js";

/** What the tests of every store need to know about the one under test. */
export interface VectorStoreSuiteOptions {
  /** Makes an empty store. */
  readonly create: (options: { readonly embedder?: Embedder }) => Promise<VectorStore>;
  /** Why it cannot keep vectors; absent when it can. */
  readonly noVectors?: string | undefined;
}

/** A data row of {@link market}. */
export const row = {
  locality: "Madhurawada",
  area_sqft: 1_050,
  price: 4_800_000,
  note: 'a "corner" plot, ₹',
};
/** What a filled store holds. */
export const market: readonly Chunk[] = [
  chunkOf(
    "vizag-note",
    "Apartment prices in Madhurawada rose 8% over the year; supply is steady.",
    {
      document: "vizag.md",
      city: "Visakhapatnam",
      date: "2026-09-01",
      source: "Coastal Desk",
      sourceType: "MARKET_DATA",
      url: "https://example.com/vizag",
      title: "Visakhapatnam market",
    },
  ),
  chunkOf("vizag-row", "Madhurawada apartment 1,050 sqft sold for 48 lakh", {
    document: "sales.csv",
    city: "Visakhapatnam",
    date: "2026-08-01",
    row,
  }),
  chunkOf("vizag-old-row", "Gajuwaka house sold", {
    document: "sales.csv",
    city: "Visakhapatnam",
    date: "2025-01-15",
    row: { price: 1 },
  }),
  chunkOf("vizag-undated-row", "Gajuwaka plot sold", {
    document: "sales.csv",
    city: "Visakhapatnam",
    row: { price: 2 },
  }),
  chunkOf("bengaluru-row", "Whitefield apartment sold", {
    document: "sales.csv",
    city: "Bengaluru",
    date: "2026-10-01",
    row: { price: 3 },
  }),
  chunkOf("india-note", "Every project is registered with RERA before apartment sales begin.", {
    document: "rera.md",
  }),
  chunkOf("austin-note", "Apartment rents in Austin fell as supply grew.", {
    document: "austin.md",
    country: "US",
    city: "Austin",
  }),
];

/** Stores for tests, each closed after its test. */
export function storesFor({ create }: VectorStoreSuiteOptions) {
  const opened: VectorStore[] = [];
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  async function empty(embedder?: Embedder): Promise<VectorStore> {
    const store = await create(embedder === undefined ? {} : { embedder });
    opened.push(store);
    return store;
  }
  /** With {@link market} in it. */
  async function filled(): Promise<VectorStore> {
    const store = await empty();
    await store.add(market);
    return store;
  }
  return { empty, filled };
}

/** Ids of what a search for apartments in India finds, or for something else. */
export async function idsOf(
  store: VectorStore,
  query: Partial<StoreQuery>,
): Promise<readonly string[]> {
  const found = await store.search({ text: "apartment", country: "IN", limit: 10, ...query });
  return found.map(({ chunk }) => chunk.id);
}

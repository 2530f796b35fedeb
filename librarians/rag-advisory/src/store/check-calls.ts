import type { Chunk, RowQuery, StoreQuery } from "./vector-store.js";

/** The countries a store knows. */
export const storeCountries = ["IN", "US", "UK"] as const;
/** The kinds of source a store knows. */
export const storeSourceTypes = ["GOVERNMENT", "MARKET_DATA", "REGULATORY", "THIRD_PARTY"] as const;

/** What one call may bring or ask for. */
export const storeLimits = {
  /** Characters of an id. */
  idLength: 200,
  /** Characters of a text. */
  textLength: 100_000,
  /** Chunks of one `add`. */
  chunksPerAdd: 10_000,
  /** Chunks of one search. */
  found: 1_000,
  /** Rows of one query. */
  rows: 100_000,
  /** Characters of a query that are read. */
  queryLength: 8_000,
} as const;

/** @throws {RangeError} When the query asks for what no store gives. */
export function checkStoreQuery({ country, limit }: StoreQuery): void {
  checkCountry(country);
  checkLimit(limit, storeLimits.found);
}

/** @throws {RangeError} When the query asks for what no store gives. */
export function checkRowQuery({ country, limit }: RowQuery): void {
  checkCountry(country);
  checkLimit(limit, storeLimits.rows);
}

/** @throws {RangeError} For a chunk that no store takes; it names the chunk, the field and the value. */
export function checkChunks(chunks: readonly Chunk[]): void {
  if (chunks.length > storeLimits.chunksPerAdd) {
    throw new RangeError(
      `chunks: expected at most ${storeLimits.chunksPerAdd} in one call, got ${chunks.length}; add them in several calls`,
    );
  }
  for (const { id, text, metadata } of chunks) {
    if (id === "" || id.length > storeLimits.idLength) {
      throw new RangeError(
        `id: expected 1 to ${storeLimits.idLength} characters, got ${id.length}: "${id.slice(0, 40)}"`,
      );
    }
    if (text.trim() === "" || text.length > storeLimits.textLength) {
      throw new RangeError(
        `chunk "${id}": text: expected 1 to ${storeLimits.textLength} characters, not only white space, got ${text.length}`,
      );
    }
    checkCountry(metadata.country, `chunk "${id}": `);
    const odd = oddKey({ id, text, ...metadata, ...metadata.row });
    if (odd !== undefined) {
      throw new RangeError(
        `chunk "${cleanId(id)}": ${odd}: expected text without NUL and without half a surrogate pair`,
      );
    }
  }
}

function checkCountry(country: string, where = ""): void {
  if (!storeCountries.some((known) => known === country)) {
    throw new RangeError(
      `${where}country: expected ${storeCountries.join(", ")}, got "${country}"`,
    );
  }
}

/** The first key that holds, or is, what some stores cannot keep as text. */
function oddKey(values: Readonly<Record<string, unknown>>): string | undefined {
  for (const [key, value] of Object.entries(values)) {
    if (unkeepable.test(key)) return "row";
    if (typeof value === "string" && unkeepable.test(value)) return key;
  }
  return undefined;
}

const unkeepable = /[\0\p{Surrogate}]/u;

function cleanId(id: string): string {
  return id.replace(/[\0\p{Surrogate}]/gu, "\ufffd");
}

function checkLimit(limit: number, maximum: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > maximum) {
    throw new RangeError(`limit: expected an integer from 1 to ${maximum}, got ${limit}`);
  }
}

import { createWriteStream } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";

const countries = ["IN", "US", "UK"] as const;
/** As many different words as some 100,000 pages of real prose have stems. */
const vocabulary = 30_000;

/** Numbers from 0 to below 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed;
  // mulberry32
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A made-up word, the low ranks far more often, as in real text (Zipf). */
export function drawWord(random: () => number): string {
  const rank = Math.floor(vocabulary ** random()) - 1;
  let word = "";
  for (let rest = rank + 7; rest > 0; rest = Math.floor(rest / 20)) {
    word += "bdfgklmnprstvz"[rest % 14] ?? "";
    word += "aeiou"[rest % 5] ?? "";
  }
  return `${word}${rank % 7 === 0 ? "n" : "x"}`;
}

/** A city of a country: 20 each. */
export function cityOf(country: string, random: () => number): string {
  return `${country} City ${Math.floor(random() * 20)}`;
}

/**
 * Writes documents of so many chunks: nine in ten a text of some 1,100 characters, one in ten a data row.
 *
 * @returns The paths of the files.
 */
export async function makeDocuments(folder: string, chunks: number): Promise<readonly string[]> {
  const random = createRandom(chunks);
  const rows = Math.floor(chunks / 10);
  const texts = join(folder, "texts.jsonl");
  const table = join(folder, "sales.csv");
  await pipeline(function* () {
    for (let at = 0; at < chunks - rows; at++) {
      const country = countries[at % 3] ?? "IN";
      let text = "";
      while (text.length < 1_080) text += `${sentence(random)} `;
      const line = {
        country,
        city: cityOf(country, random),
        source: "Bench",
        text: text.slice(0, 1_150).trim(),
      };
      yield `${JSON.stringify(line)}\n`;
    }
  }, createWriteStream(texts));
  await pipeline(function* () {
    yield "country,city,locality,price,area_sqft,date\n";
    for (let at = 0; at < rows; at++) {
      const country = countries[at % 3] ?? "IN";
      const month = String(1 + Math.floor(random() * 12)).padStart(2, "0");
      yield `${country},${cityOf(country, random)},${drawWord(random)},${Math.floor(random() * 1e7)},${Math.floor(500 + random() * 2_000)},2026-${month}-01\n`;
    }
  }, createWriteStream(table));
  return [texts, table];
}

function sentence(random: () => number): string {
  const words = Array.from({ length: 6 + Math.floor(random() * 12) }, () => drawWord(random));
  return `${words.join(" ")}.`;
}

import type { StoreQuery } from "../src/index.js";
import { cityOf, drawWord } from "./make-documents.js";

/** Three to eight words, half of the queries about one city; the best five are asked for. */
export function queryOf(random: () => number): StoreQuery {
  const country = (["IN", "US", "UK"] as const)[Math.floor(random() * 3)] ?? "IN";
  const words = Array.from({ length: 3 + Math.floor(random() * 6) }, () => drawWord(random));
  const city = random() < 0.5 ? cityOf(country, random) : undefined;
  return { text: words.join(" "), country, city, limit: 5 };
}

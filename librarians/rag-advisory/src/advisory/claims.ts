import { readFileSync } from "node:fs";
import { placesNamed } from "../country/gazetteer.js";
import { readAmounts } from "../country/money.js";
import { readBedrooms, readPropertyType } from "../question/subject-words.js";
import { tokenSentences } from "../rules/tokens.js";

/** What a claim is about. */
export type ClaimSubject = "prices" | "rents" | "yields" | "supply" | "demand" | "sales";

/** What a sentence says of a market: which way something went, how far, or what it is. */
export interface Claim {
  readonly subject: ClaimSubject;
  /** 1 for a rise, -1 for a fall, 0 for neither; absent where it says nothing of a change. */
  readonly direction?: 1 | 0 | -1 | undefined;
  /** Per cent of the change, without a sign. */
  readonly percent?: number | undefined;
  /** A median or an average, in the currency that it is in. */
  readonly level?: number | undefined;
  /** What `level` is for: `sqft`, `month`; empty for a whole. */
  readonly per: string;
  /** Years and quarters that it names. */
  readonly years: readonly string[];
  readonly quarters: readonly string[];
  /** Places that it names, in lower case. */
  readonly places: readonly string[];
  readonly kind: string;
}

/** Words of claims. "Were flat" is a direction; "flat prices" are prices of flats; some rates are not of property. */
const { subjects, ...listed } = JSON.parse(
  readFileSync(new URL("../../data/claims.json", import.meta.url), "utf8"),
) as { readonly subjects: Readonly<Record<ClaimSubject, string>> } & Readonly<
  Record<"up" | "down" | "flat" | "behindFlat" | "negations" | "otherRates", string>
>;
const toSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
const [up, down, flat] = [toSet(listed.up), toSet(listed.down), toSet(listed.flat)];
const [behindFlat, negations] = [toSet(listed.behindFlat), toSet(listed.negations)];
const otherRates = toSet(listed.otherRates);
/** The first that fits counts. */
const subjectWords = Object.entries(subjects).map(
  ([subject, words]) => [subject as ClaimSubject, toSet(words)] as const, // the same keys
);
/** Words between a direction and its per cent. */
const maxDistance = 8;

/** Reads what a sentence claims; `undefined` where it claims nothing that another could contradict. */
export function readClaim(text: string): Claim | undefined {
  const [tokens = []] = tokenSentences(text);
  const words = tokens.map(({ word }) => word);
  const at = words.findIndex(
    (word, index) =>
      up.has(word) ||
      down.has(word) ||
      flat.has(word) ||
      (word === "flat" && behindFlat.has(words[index - 1] ?? "")),
  );
  const subject = subjectAt(words, at < 0 ? words.length : at);
  if (subject === undefined) return undefined;
  const isNegated = words
    .slice(Math.max(0, at - 2), Math.max(0, at))
    .some((word) => negations.has(word));
  const direction = at < 0 || isNegated ? undefined : readDirection(words[at] ?? "");
  const percent = direction === undefined ? undefined : percentNear(words, at);
  const { level, per } = readLevel(text, words);
  if (direction === undefined && level === undefined) return undefined;
  return {
    subject,
    direction,
    percent,
    level,
    per,
    years: words.filter((word) => /^(?:19|20)\d\d$/.test(word)),
    quarters: words.filter((word) =>
      /^(?:q[1-4]|h[12]|first|second|third|fourth|january|february|march|april|june|july|august|september|october|november|december)$/.test(
        word,
      ),
    ),
    places: tokens.flatMap(({ word, isCapital }) =>
      isCapital && placesNamed(word).length > 0 ? [word] : [],
    ),
    kind: `${readPropertyType(text) ?? ""}/${readBedrooms(text) ?? ""}`,
  };
}

/** The subject that stands last before a place in a sentence, or first in it. */
function subjectAt(words: readonly string[], at: number): ClaimSubject | undefined {
  for (let index = Math.min(at, words.length) - 1; index >= 0; index--) {
    const subject = readSubject(words, index);
    if (subject !== undefined) return subject;
  }
  for (let index = at; index < words.length; index++) {
    const subject = readSubject(words, index);
    if (subject !== undefined) return subject;
  }
  return undefined;
}

function readSubject(words: readonly string[], at: number): ClaimSubject | undefined {
  const word = words[at] ?? "";
  const before = words[at - 1] ?? "";
  if (otherRates.has(before) || otherRates.has(word)) return undefined;
  // "Rental yields" are yields; "sale prices" are prices.
  return subjectWords.find(([, own]) => own.has(word))?.[0];
}

function readDirection(word: string): 1 | 0 | -1 {
  return up.has(word) ? 1 : down.has(word) ? -1 : 0;
}

function percentNear(words: readonly string[], at: number): number | undefined {
  for (let distance = 1; distance <= maxDistance; distance++) {
    for (const index of [at + distance, at - distance]) {
      const next = words[index + 1] ?? "";
      if (!/^\d+(?:\.\d+)?$/.test(words[index] ?? "")) continue;
      if (next === "%" || next === "per" || next === "percent") return Number(words[index]);
    }
  }
  return undefined;
}

/** The one amount of a sentence that names a median or an average. */
function readLevel(
  text: string,
  words: readonly string[],
): { readonly level?: number | undefined; readonly per: string } {
  const isTypical = words.some((word) =>
    ["median", "average", "averaged", "averages", "mean", "typical"].includes(word),
  );
  const amounts = readAmounts(text);
  const [amount] = amounts;
  if (!isTypical || amounts.length !== 1 || amount === undefined) return { per: "" };
  return { level: (amount.low + amount.high) / 2, per: amount.per ?? "" };
}

import { numberWords } from "@constellation/nlu";
import type { TokenLocation } from "../evidence/evidence.js";
import type { SectionText } from "../evidence/section-text.js";
import { type Amount, amountsIn } from "./amounts.js";
import type { Pattern, Token } from "./pattern.js";

/**
 * Numbers with their units. Bare numbers too, except small ones and those that count the answer's
 * own parts.
 */
export const numberPattern: Pattern = {
  kind: "number",
  noun: "the number",
  mustBeCited: true,
  extract: ({ text }) => amountsIn(text).filter((amount) => isClaim(amount, text)),
  find(token, { cited }): TokenLocation {
    return cited.some((section) => isIn(parseAmount(token), section.fact(readNumbers)))
      ? "cited"
      : "nowhere";
  },
  key: (token) => [...(parseAmount(token)?.keys ?? [token.text])].sort().join(" "),
};

function parseAmount({ text }: Token): Amount | undefined {
  return amountsIn(text)[0];
}

/** Bare numbers that are too common to be checked: `0`, `1`, `100`. */
const commonplace: ReadonlySet<number> = new Set([0, 1, 2, 3, 100]);

function isClaim({ value, unit, start, end }: Amount, text: string): boolean {
  const before = text.slice(Math.max(0, start - 24), start);
  const after = text.slice(end, end + 24);
  if (unit === "" && commonplace.has(value)) return false;
  if (unit === "$" && value < 10 && Number.isInteger(value)) return false; // a shell's or a pattern's `$1`
  // The number of an item, an issue or a step.
  if (/(?:^|\n)[\s>*#-]*$/.test(before) && /^(?:[.):])(?:\s|$)/.test(after)) return false;
  if (
    /\b(?:step|phase|option|figure|table|chapter|part|note|example|case|point|method)s?\s+$/i.test(
      before,
    )
  ) {
    return value > 20;
  }
  // Counts of the answer itself: "there are 4 ways".
  return !(
    unit === "" &&
    value < 10 &&
    /^\s(?:steps?|ways?|options?|things?|points?|parts?|methods?|sections?|sources?|pages?)\b/i.test(
      after,
    )
  );
}

/** Numbers of a section, in the forms in which amounts are compared. */
interface Numbers {
  readonly amounts: ReadonlySet<string>;
  readonly bare: ReadonlySet<string>;
  /** Digits anywhere, including within words: `5m0s`, `p99`, `h2c`. */
  readonly digits: ReadonlySet<string>;
}

function readNumbers({ raw, file, section }: SectionText): Numbers {
  const found = amountsIn(raw);
  const words =
    raw
      .toLowerCase()
      .match(/\w+/g)
      ?.filter((word) => Object.hasOwn(numberWords, word)) ?? [];
  const text = `${file} ${section.anchor ?? ""} ${raw}`;
  return {
    amounts: new Set(found.flatMap(({ keys }) => keys)),
    bare: new Set([
      ...found.filter(({ unit }) => unit === "").flatMap(({ keys }) => keys),
      ...words.map((word) => `count:${numberWords[word] ?? ""}`),
    ]),
    digits: new Set(text.match(/\d+(?:\.\d+)?/g)),
  };
}

function isIn(amount: Amount | undefined, { amounts, bare, digits }: Numbers): boolean {
  if (amount === undefined) return true;
  if (amount.keys.some((key) => amounts.has(key))) return true;
  if (!commonplace.has(amount.value) && amount.bare.some((key) => bare.has(key))) return true;
  // A bare number also matches as a part of an amount: `65` in `65s`.
  return amount.unit === "" && digits.has(String(amount.value));
}

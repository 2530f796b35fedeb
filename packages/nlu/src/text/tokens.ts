/** A part of a text, by offsets in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  /** Offset behind the last unit. */
  readonly end: number;
}

/** A word of a text. */
export interface Token extends TextRange {
  readonly text: string;
  /** In lower case, with a plain apostrophe. */
  readonly lower: string;
}

/** Words keep the dashes, dots, apostrophes and underscores inside them: `cart-db`, `shop.example.com`, `isn't`. */
const word = /[\p{L}\p{N}_]+(?:[-.'’@][\p{L}\p{N}_]+)*/gu;

/** The words of a text, in order. A possessive ending does not belong to the word. */
export function toTokens(text: string): readonly Token[] {
  return Array.from(text.matchAll(word), ({ 0: found, index }) => {
    const own = found.replace(/['’]s$/i, "");
    const kept = own !== found && !isContraction(own) ? own : found;
    return {
      text: kept,
      lower: kept.toLowerCase().replaceAll("’", "'"),
      start: index,
      end: index + kept.length,
    };
  });
}

/** `what's` is two words written as one; `cart's` is not. */
function isContraction(word: string): boolean {
  return /^(?:what|who|where|when|how|why|that|there|it|here|he|she|let)$/i.test(word);
}

/** Letters and digits of a text in lower case: `Cart-DB`, `cart db` and `cartdb` are the same. */
export function collapse(text: string): string {
  const lower = text.toLowerCase();
  return /^[a-z0-9]*$/.test(lower) ? lower : lower.replace(/[^\p{L}\p{N}*]+/gu, "");
}

/** The parts of a name between its dashes, dots, slashes, underscores, colons and capital letters, in lower case. */
export function toParts(name: string): readonly string[] {
  return name
    .replace(/(?<=[a-z])(?=[A-Z])/g, "-")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "");
}

/** Forms that a word may have in the singular: `policies` -> `policy`, `classes` -> `class`. */
export function toSingulars(word: string): readonly string[] {
  if (word.length < 4 || !word.endsWith("s") || word.endsWith("ss")) return [];
  if (word.endsWith("ies")) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  if (word.endsWith("es")) return [word.slice(0, -1), word.slice(0, -2)];
  return [word.slice(0, -1)];
}

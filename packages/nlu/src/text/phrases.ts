/** Phrases that are looked for in texts. */
export interface Phrases {
  /** Whether a text has one of them. */
  test(text: string): boolean;
}

/**
 * Phrases as a list of words with commas between them: "not ready, crash*, ^who, may … reach, which|what node|nodes".
 *
 * They are found as whole words in any case. `*` at an end of a phrase is any letters, `*` alone any word, `*ing` any word with that ending, `|` is between words that may
 * each stand there, `^` in front of what only begins a text, and `…` between parts that may have other words between them.
 */
export function createPhrases(list: string): Phrases {
  const phrases = list
    .split(",")
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== "");
  const isGapped = (phrase: string) => phrase.includes("…");
  const plain = phrases.filter((phrase) => !isGapped(phrase)).map(toSource);
  const form = plain.length === 0 ? undefined : new RegExp(plain.join("|"), "i");
  const gapped = phrases
    .filter(isGapped)
    .map((phrase) => phrase.split("…").map((part) => new RegExp(toSource(part.trim()), "i")));
  return {
    test: (text) => form?.test(text) === true || gapped.some((parts) => hasInOrder(text, parts)),
  };
}

/** Whether a text has all parts, one behind the other. */
function hasInOrder(text: string, parts: readonly RegExp[]): boolean {
  let rest = text;
  for (const part of parts) {
    const hit = part.exec(rest);
    if (hit === null) return false;
    rest = rest.slice(hit.index + hit[0].length);
  }
  return true;
}

/** Maximum number of white space at the beginning of a text. */
const lead = "^\\s{0,9}";

function toSource(phrase: string): string {
  const isFirst = phrase.startsWith("^");
  const text = isFirst ? phrase.slice(1) : phrase;
  const before = isFirst ? lead : text.startsWith("*") ? "" : "(?<!\\w)";
  const after = text.endsWith("*") ? "" : "(?!\\w)";
  const words = text
    .replace(/^\*|\*$/g, "")
    .split(" ")
    .map((word) =>
      word.startsWith("*")
        ? `\\w{1,40}${escaped(word.slice(1))}`
        : word.includes("|")
          ? `(?:${word.split("|").map(escaped).join("|")})`
          : escaped(word),
    );
  return `${before}${words.join(" ")}${after}`;
}

function escaped(word: string): string {
  return word.replace(/[.+?^${}()[\]\\/*]/g, "\\$&");
}

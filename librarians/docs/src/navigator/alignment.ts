import { contentWords } from "./content-words.js";
import type { SectionText } from "./evidence/section-text.js";

/** How much of what an answer says is in the sections it cites. */
export interface Alignment {
  /** Share of the answer's content words that are in a cited section, 0 to 1; 1 for no words. */
  readonly share: number;
  /** The sentence with the lowest share, where it has enough words to tell. */
  readonly weakest?: { readonly sentence: string; readonly share: number } | undefined;
}

/** Under this share of all words the sources do not support the answer. */
export const leastShare = 0.4;

/** Below this share a sentence is quoted by itself. */
export const leastSentenceShare = 0.2;

/** URLs and ARNs: they are looked up as wholes, and their parts say nothing. */
const address = /\b[a-z]{3,5}:\S*[:/]\S*/gi;

/** A sentence with fewer content words is not judged by itself. */
const tellingWords = 5;

/**
 * Compares an answer with its sources by their words.
 *
 * @param named - Names in the answer that point to the sources and are not part of what it says.
 */
export function alignmentOf(
  answer: string,
  cited: readonly SectionText[],
  named: readonly string[],
): Alignment {
  const known = new Set(cited.flatMap((section) => [...section.fact(wordsOf)]));
  const pointers = contentWords(named.join(" "));
  const share = (text: string): { words: number; share: number } => {
    const words = [...contentWords(text.replace(address, " "))].filter(
      (word) => known.has(word) || !pointers.has(word),
    );
    const found = words.filter((word) => known.has(word)).length;
    return { words: words.length, share: words.length === 0 ? 1 : found / words.length };
  };
  let weakest: Alignment["weakest"];
  for (const sentence of sentencesOf(answer)) {
    const judged = share(sentence);
    if (judged.words < tellingWords || judged.share >= (weakest?.share ?? 1)) continue;
    weakest = { sentence, share: judged.share };
  }
  return { share: share(answer).share, weakest };
}

function wordsOf({ raw }: SectionText): ReadonlySet<string> {
  return contentWords(raw);
}

/** Sentences of a text; a line break that ends a paragraph or an item ends one too. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+(?=[\p{Lu}`"'*[(])|\n\s*\n|\n(?=\s*(?:[-*+]|\d{1,3}[.)])\s)/u);
}

import { createAnalyzer } from "@constellation/retrieval";
import type { SectionText } from "./evidence/section-text.js";

/** How much of an answer is supported by the sections it cites. */
export interface Alignment {
  /** Share of the answer's content words that are in a cited section, 0 to 1; 1 for no words. */
  readonly share: number;
  /** Number of content words of the answer. */
  readonly words: number;
  /** The sentence with the lowest share, among those with enough words. */
  readonly weakest?: { readonly sentence: string; readonly share: number } | undefined;
}

/** Minimum share of all words; below it, the sources do not support the answer. */
export const minShare = 0.4;

/** Minimum share of one sentence; below it, the sentence is reported. */
export const minSentenceShare = 0.2;

/** URLs and ARNs, which are looked up as wholes: their parts carry no meaning. */
const address = /\b[a-z]{3,5}:\S*[:/]\S*/gi;

/** Minimum number of content words of a sentence that is checked on its own. */
const tellingWords = 5;

/**
 * Compares an answer with its sources by their words.
 *
 * @param named - Names in the answer that only refer to the sources.
 */
export function measureAlignment(
  answer: string,
  cited: readonly SectionText[],
  named: readonly string[],
): Alignment {
  const known = new Set(cited.flatMap((section) => [...section.fact(readContentWords)]));
  const pointers = contentWords(named.join(" "));
  const share = (text: string): { words: number; share: number } => {
    const words = [...contentWords(text.replace(address, " "))].filter(
      (word) => known.has(word) || !pointers.has(word),
    );
    const found = words.filter((word) => known.has(word)).length;
    return { words: words.length, share: words.length === 0 ? 1 : found / words.length };
  };
  let weakest: Alignment["weakest"];
  for (const sentence of splitSentences(answer)) {
    const judged = share(sentence);
    if (judged.words < tellingWords || judged.share >= (weakest?.share ?? 1)) continue;
    weakest = { sentence, share: judged.share };
  }
  return { ...share(answer), weakest };
}

function readContentWords({ raw }: SectionText): ReadonlySet<string> {
  return contentWords(raw);
}

/** Splits a text into sentences; the end of a paragraph or an item ends a sentence too. */
export function splitSentences(text: string): readonly string[] {
  return text.split(/(?<=[.!?])\s+(?=[\p{Lu}`"'*[(])|\n\s*\n|\n(?=\s*(?:[-*+]|\d{1,3}[.)])\s)/u);
}

/** Content words of a text, stemmed and in lower case, each once. */
function contentWords(text: string): ReadonlySet<string> {
  const terms = analyzer.terms(text);
  // A name in camel case counts by its parts, so that `handlerTimeout` is close to "timeout".
  return new Set(terms.flatMap(({ text: word, isExtra }) => (isExtra ? [] : word)));
}

const stopWords: ReadonlySet<string> = new Set(
  `a about according after all also although an and answer any are as at based be because been before
  being both but by can cannot could did do does doing done due each either else even every for from
  given had has have having he her here how however if in instead into is it its just like may md might
  more most must need no nor not of off on once one only or other our out over own per same section see
  set shall she should since so some such than that the their them then there therefore these they this
  those through thus to too under until up upon us use used uses using very via was we well were what
  when where whether which while who whose why will with within without would you your`.split(
    /\s+/,
  ),
);

const analyzer = createAnalyzer({ stopWords });

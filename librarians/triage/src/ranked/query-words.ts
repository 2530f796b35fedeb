import { trimTrailing } from "@constellation/authoring";
import type { Analyzer } from "@constellation/retrieval";

/** A word of a query, as written and as a term of the analyzer. */
export interface QueryWord {
  readonly term: string;
  readonly written: string;
  /**
   * A number, or the whole of a compound: matching it adds evidence, lacking it does not reduce
   * any.
   */
  readonly isExtra: boolean;
}

/** Maximum number of characters of a query that are read. */
const maxQueryLength = 4_000;
/** Maximum number of different words of a query that are looked for. */
const maxWords = 128;

/** Reads the content words of a query, each once. */
export type ReadWords = (text: string) => readonly QueryWord[];

/** Creates the reader. The delegates must have been read with an analyzer of the same kind.
 *
 * An identifier (`house_price_job`, `worker-3`) is a name: only the whole of it is matched. Plain
 * words with one hyphen between ("three-bedroom") are matched one by one and as a whole.
 */
export function createWordReader(analyzer: Analyzer): ReadWords {
  return (text) => {
    const words = new Map<string, QueryWord>();
    let before = "";
    for (const chunk of text.slice(0, maxQueryLength).match(/\S+/g) ?? []) {
      const written = trimTrailing(chunk.replace(marksInFront, ""), /[^\p{L}\p{N}]/u);
      for (const one of [
        ...toQueryWords(analyzer, written),
        ...joinWords(analyzer, before, written),
      ]) {
        if (!words.has(one.term)) words.set(one.term, one);
      }
      if (words.size >= maxWords) break;
      before = written;
    }
    return [...words.values()];
  };
}

/** Two words as one, where a delegate writes them so: `rollback` of "roll back". */
function joinWords(analyzer: Analyzer, first: string, second: string): readonly QueryWord[] {
  if (!/^\p{Ll}{2,12}$/u.test(first) || !/^\p{Ll}{2,12}$/u.test(second)) return [];
  const written = `${first} ${second}`;
  return analyzer.terms(first + second).map(({ text }) => ({ term: text, written, isExtra: true }));
}

function toQueryWords(analyzer: Analyzer, written: string): readonly QueryWord[] {
  const terms = analyzer.terms(written).filter(({ text }) => !/^\d{1,2}$/.test(text));
  const isWhole = isName(written); // once: one word may have thousands of terms
  const whole = isWhole ? terms.find(({ isExtra }) => isExtra) : undefined;
  return (whole === undefined ? terms : [whole]).map(({ text, isExtra }) => ({
    term: text,
    written,
    isExtra: isExtra || isWhole || /^\d+$/.test(text), // a number such as a status
  }));
}

const marksInFront = /^[^\p{L}\p{N}]+/u;

/** Inner capitals, an underscore, a dot inside, letters beside digits, or more than one hyphen. */
const nameMarks =
  /_|[\p{L}\p{N}]\.[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{L}-?\p{N}|\p{N}\p{L}|-[^-]*-/u;

/** Whether a word is an identifier. */
function isName(written: string): boolean {
  return /\p{L}/u.test(written) && nameMarks.test(written);
}

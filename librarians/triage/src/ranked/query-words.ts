import { trimTrailing } from "@constellation/core/authoring";
import type { Analyzer } from "@constellation/retrieval";
import type { ConceptsOf } from "./concepts.js";
import { isCommon } from "./is-common.js";
import { joinedOf } from "./phrasal.js";
import { formsOf } from "./question-forms.js";

/** A word of a query, as it was written and as the analyzer knows it. */
export interface QueryWord {
  readonly term: string;
  readonly written: string;
  /** A number, or the whole of something joined: finding it helps, lacking it does not hurt. */
  readonly isExtra: boolean;
  /** A way of asking and no word. */
  readonly isForm: boolean;
  /** What a word is about instead of the word itself. Identifiers are those of words that are not everyday English. */
  readonly isConcept: boolean;
  /** An identifier, such as `OOMKilled`: one word, and enough evidence alone. */
  readonly isIdentifier: boolean;
}

/** Maximum number of characters of a query that are read. */
const maxQueryLength = 4_000;
/** Maximum number of different words of a query that are looked for. */
const maxWords = 128;

/** Reads the words of a query that tell something of its subject, each once, and how it asks. */
export type ReadWords = (text: string) => readonly QueryWord[];

/**
 * Creates the reader. An analyzer of its own kind must have read what the words are looked for in.
 *
 * An identifier (`house_price_job`, `worker-3`) is a name and no sentence: only the whole of it is looked
 * for. Plain words with one hyphen between ("three-bedroom") are looked for one by one, and whole.
 */
export function createWordReader(analyzer: Analyzer, conceptsOf: ConceptsOf): ReadWords {
  return (text) => {
    const words = new Map<string, QueryWord>();
    const chunks = text.slice(0, maxQueryLength).match(/\S+/g) ?? [];
    for (const [at, chunk] of chunks.entries()) {
      const written = trimTrailing(chunk.replace(marksInFront, ""), /[^\p{L}\p{N}]/u);
      for (const one of [
        ...wordsOf(analyzer, written),
        ...joined(analyzer, written, chunks[at + 1]),
      ]) {
        if (words.has(one.term)) continue;
        words.set(one.term, one);
        const isIdentifier = one.isIdentifier || !isCommon(one.term);
        for (const term of conceptsOf(instanceOf(one.term, written))) {
          if (!words.has(term)) {
            words.set(term, { ...one, term, isExtra: true, isConcept: true, isIdentifier });
          }
        }
      }
      if (words.size >= maxWords) break;
    }
    const forms = formsOf(text).map(
      (term): QueryWord => ({
        term,
        written: term,
        isExtra: false,
        isForm: true,
        isConcept: false,
        isIdentifier: false,
      }),
    );
    return [...words.values(), ...forms];
  };
}

function wordsOf(analyzer: Analyzer, written: string): readonly QueryWord[] {
  const terms = analyzer.terms(written).filter(({ text }) => !/^\d{1,2}$/.test(text));
  const isIdentifier = isName(written);
  const whole = terms.find(({ isExtra }) => isExtra);
  return (isIdentifier && whole !== undefined ? [whole] : terms).map(({ text, isExtra }) => ({
    term: text,
    written,
    isExtra: isExtra || isIdentifier || /^\d+$/.test(text), // a number such as a status
    isForm: false,
    isConcept: false,
    isIdentifier,
  }));
}

/** A verb with its particle, as one word more. */
function joined(
  analyzer: Analyzer,
  written: string,
  next: string | undefined,
): readonly QueryWord[] {
  const word = joinedOf(written, next);
  if (word === undefined) return [];
  return wordsOf(analyzer, word).map((one) => ({ ...one, written, isExtra: true }));
}

/** The kind of thing that is numbered: `worker` of `worker-3`. */
function instanceOf(term: string, written: string): string {
  return /^([a-z]+)-\d+$/i.exec(written)?.[1]?.toLowerCase() ?? term;
}

const marksInFront = /^[^\p{L}\p{N}]+/u;

/** Inner capitals, an underscore, a dot inside, letters beside digits, or more than one hyphen. */
const nameMarks =
  /_|[\p{L}\p{N}]\.[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}{2}|\p{L}-?\p{N}|\p{N}\p{L}|-[^-]*-/u;

/** Whether it is made by people as a name for a thing. */
function isName(written: string): boolean {
  return /\p{L}/u.test(written) && nameMarks.test(written);
}

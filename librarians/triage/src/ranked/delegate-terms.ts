import type { Delegate } from "@constellation/core";
import type { Analyzer } from "@constellation/retrieval";

/** The words of a delegate with their strength: 0 to 1, slightly more for words of its name. */
export interface DelegateTerms {
  /** Numbers of the words. */
  readonly terms: Uint32Array;
  readonly strengths: Float32Array;
}

/** Reads delegates and numbers every word. */
export interface DelegateReader {
  read(delegate: Delegate): DelegateTerms;
  numberOf(term: string): number | undefined;
  /** Number of words so far. */
  readonly size: number;
}

/*
 * Fitted on the questions of the eval's development half: see eval/README.md.
 */

/** Weight of a word by its field, 0 to 1. */
const strengths = {
  id: 0.9,
  name: 0.9,
  capabilities: 0.8,
  description: 0.7,
  examples: 0.4,
  vocabulary: 0.3,
} as const;

/** Factor for a word of the delegate's name. */
const nameFactor = 1.7;

/** Length of a field in characters above which each of its words counts less. */
const fullLength = 640;

/** Maximum number of words of a sketch that are read. */
const maxVocabulary = 1_000;

/** Different words, as they are written, whose numbers are remembered. */
const maxRemembered = 200_000;

/**
 * Creates a reader of delegates' descriptions. A word that occurs in several places is stronger.
 */
export function createDelegateReader(analyzer: Analyzer): DelegateReader {
  const numbers = new Map<string, number>();
  const doubts: number[] = []; // by number: the chance that the word says nothing of the delegate
  const seenIn: number[] = []; // by number: the field it was seen in last
  let field = 0;
  let remembered = new Map<string, readonly number[]>();

  const numberFor = (term: string): number => {
    let number = numbers.get(term);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(term, number);
    }
    return number;
  };
  /** Numbers of the words of a piece of text. Librarians share most of theirs: each is analyzed once. */
  const readTermNumbers = (piece: string): readonly number[] => {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const found = analyzer.terms(piece).map(({ text }) => numberFor(text));
    if (remembered.size >= maxRemembered) remembered = new Map();
    remembered.set(piece, found);
    return found;
  };

  return {
    numberOf: (term) => numbers.get(term),
    get size() {
      return numbers.size;
    },
    read({ id, name = "", description = "", capabilities = [], examples = [], vocabulary = [] }) {
      const own: number[] = [];
      const first = field + 1;
      const add = (number: number, strength: number) => {
        const seen = seenIn[number] ?? 0;
        if (seen === field) return; // a word counts once for each field
        if (seen < first) {
          doubts[number] = 1;
          own.push(number);
        }
        seenIn[number] = field;
        doubts[number] = (doubts[number] ?? 1) * (1 - strength);
      };
      const read = (text: string, strength: number, length = text.length) => {
        field++;
        const scaled = strength * Math.min(1, fullLength / length);
        for (let from = 0; from < text.length; ) {
          const end = text.indexOf(" ", from);
          const to = end === -1 ? text.length : end;
          const piece = text.slice(from, to);
          for (const number of readTermNumbers(piece)) add(number, scaled);
          from = to + 1;
        }
      };
      read(id, strengths.id);
      read(name, strengths.name);
      const names = own.slice();
      read(description, strengths.description);
      read(capabilities.join(" "), strengths.capabilities);
      const length = examples.reduce((sum, text) => sum + text.length, 0);
      for (const example of examples) read(example, strengths.examples, length);
      read(vocabulary.slice(0, maxVocabulary).join(" "), strengths.vocabulary, fullLength);
      const toStrength = (number: number) =>
        (1 - (doubts[number] ?? 1)) * (names.includes(number) ? nameFactor : 1);
      return {
        terms: Uint32Array.from(own),
        strengths: Float32Array.from(own, toStrength),
      };
    },
  };
}

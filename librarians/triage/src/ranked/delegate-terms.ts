import type { Delegate } from "@constellation/core";
import type { Analyzer } from "@constellation/retrieval";
import type { ConceptsOf } from "./concepts.js";
import { joinedOf } from "./phrasal.js";
import { formsOf } from "./question-forms.js";

/** The words of a delegate, and how much each says of it: 0 to 1, a little more where it names it. */
export interface DelegateTerms {
  /** Numbers of the words. */
  readonly terms: Uint32Array;
  readonly strengths: Float32Array;
}

/** Reads delegates, and gives each word that it meets a number. */
export interface DelegateReader {
  read(delegate: Delegate): DelegateTerms;
  numberOf(term: string): number | undefined;
  /** How many words it has met. */
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
} as const;

/** How much a way of asking says that an example has, 0 to 1. */
const formStrength = 0.4;

/** How much more a word says that names the delegate. */
const nameFactor = 1.7;

/** A field of more characters than this says less with each of its words. */
const fullLength = 640;

/** Different words, as they are written, whose numbers are remembered. */
const maxRemembered = 200_000;

/** Creates a reader of what delegates say about themselves. A word that is in several places says more. */
export function createDelegateReader(analyzer: Analyzer, conceptsOf: ConceptsOf): DelegateReader {
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
  const wordsOf = (piece: string): readonly number[] => {
    const known = remembered.get(piece);
    if (known !== undefined) return known;
    const found = analyzer
      .terms(piece)
      .flatMap(({ text }) => [text, ...conceptsOf(text)])
      .map(numberFor);
    if (remembered.size >= maxRemembered) remembered = new Map();
    remembered.set(piece, found);
    return found;
  };

  return {
    numberOf: (term) => numbers.get(term),
    get size() {
      return numbers.size;
    },
    read({ id, name = "", description = "", capabilities = [], examples = [] }) {
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
        let before = "";
        for (let from = 0; from < text.length; ) {
          const end = text.indexOf(" ", from);
          const to = end === -1 ? text.length : end;
          const piece = text.slice(from, to);
          for (const number of wordsOf(piece)) add(number, scaled);
          const joined = joinedOf(before, piece);
          if (joined !== undefined) for (const number of wordsOf(joined)) add(number, scaled);
          before = piece;
          from = to + 1;
        }
      };
      read(id, strengths.id);
      read(name, strengths.name);
      const names = own.slice();
      read(description, strengths.description);
      read(capabilities.join(" "), strengths.capabilities);
      const length = examples.reduce((sum, text) => sum + text.length, 0);
      for (const example of examples) {
        read(example, strengths.examples, length);
        for (const form of formsOf(example)) add(numberFor(form), formStrength);
      }
      const strengthOf = (number: number) =>
        (1 - (doubts[number] ?? 1)) * (names.includes(number) ? nameFactor : 1);
      return {
        terms: Uint32Array.from(own),
        strengths: Float32Array.from(own, strengthOf),
      };
    },
  };
}

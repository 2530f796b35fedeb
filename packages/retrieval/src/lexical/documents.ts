import type { Analyzer } from "./analyzer.js";
import type { Language } from "./language.js";

/** A document to index: text in named fields. */
export interface LexicalDocument {
  /** Unique in its index. */
  readonly id: string;
  /** Parent of the document, such as a file: documents of one parent support each other. */
  readonly parent?: string;
  /** Language of the text. Default: English. */
  readonly language?: Language | undefined;
  /** Text by field name. Unknown fields are refused. */
  readonly fields: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A document as terms. */
export interface AnalyzedDocument {
  readonly id: string;
  readonly parent: string | undefined;
  /** Default: English. */
  readonly language?: Language;
  /** Numbers of its terms, field after field; the top bit marks a term at the place of the one before. */
  readonly stream: Uint32Array;
  /** Where each field ends in `stream`. */
  readonly ends: Uint32Array;
}

/** Marks a term at the place of the one before it. */
export const extraBit = 0x8000_0000;
/** Removes the mark. */
export const termMask = 0x7fff_ffff;

/** Numbers of terms, assigned in the order of first occurrence. */
export interface Vocabulary {
  readonly texts: readonly string[];
  numberOf(text: string): number | undefined;
  /** Returns the number of a term, and assigns one if needed. */
  add(text: string): number;
}

/** Creates an empty vocabulary. */
export function createVocabulary(): Vocabulary {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  return {
    texts,
    numberOf: (text) => numbers.get(text),
    add(text) {
      const known = numbers.get(text);
      if (known !== undefined) return known;
      numbers.set(text, texts.length);
      return texts.push(text) - 1;
    },
  };
}

/** Reads a document as terms. */
export function analyzeDocument(
  document: LexicalDocument,
  fields: readonly string[],
  analyzer: Analyzer,
  vocabulary: Vocabulary,
): AnalyzedDocument {
  const { language = "en" } = document;
  const stream: number[] = [];
  const ends = new Uint32Array(fields.length);
  fields.forEach((field, at) => {
    const value = document.fields[field];
    const texts = value === undefined ? [] : typeof value === "string" ? [value] : value;
    for (const text of texts) {
      for (const term of analyzer.terms(text, language)) {
        const number = vocabulary.add(term.text);
        stream.push(term.isExtra ? (number | extraBit) >>> 0 : number);
      }
    }
    ends[at] = stream.length;
  });
  const { id, parent } = document;
  return { id, parent, language, stream: Uint32Array.from(stream), ends };
}

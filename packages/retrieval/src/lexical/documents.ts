import type { Analyzer, Term } from "./analyzer.js";
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
  /** Numbers of its terms, field after field. */
  readonly stream: Uint32Array;
  /** Where each field ends in `stream`. */
  readonly ends: Uint32Array;
}

/** Documents in flat arrays, as they are searched and stored. Never changes. */
export interface DocumentTable {
  readonly ids: readonly string[];
  readonly parents: readonly (string | undefined)[];
  readonly languages: readonly Language[];
  /** Numbers of their terms, document after document. */
  readonly stream: Uint32Array;
  /** Where each document begins in `stream`, and where the last one ends. */
  readonly starts: Uint32Array;
  /** Where each field ends, by document and field, counted from the beginning of the document. */
  readonly ends: Uint32Array;
}

/** Puts documents into one table. */
export function packDocuments(
  documents: readonly AnalyzedDocument[],
  fieldCount: number,
): DocumentTable {
  const ends = new Uint32Array(documents.length * fieldCount);
  documents.forEach((document, place) => {
    ends.set(document.ends, place * fieldCount);
  });
  const starts = startsOf(ends, documents.length);
  const stream = new Uint32Array(starts[documents.length] ?? 0);
  documents.forEach((document, place) => {
    stream.set(document.stream, starts[place]);
  });
  return {
    ids: documents.map(({ id }) => id),
    parents: documents.map(({ parent }) => parent),
    languages: documents.map(({ language = "en" }) => language),
    stream,
    starts,
    ends,
  };
}

/** Where each document begins, by the ends of its fields. */
export function startsOf(ends: Uint32Array, documents: number): Uint32Array {
  const fieldCount = ends.length / documents;
  const starts = new Uint32Array(documents + 1);
  for (let place = 0; place < documents; place++) {
    const length = ends[(place + 1) * fieldCount - 1] ?? 0;
    starts[place + 1] = (starts[place] ?? 0) + length;
  }
  return starts;
}

/** One document of a table. */
export function documentAt(table: DocumentTable, place: number): AnalyzedDocument | undefined {
  const id = table.ids[place];
  if (id === undefined) return undefined;
  const fieldCount = table.ends.length / table.ids.length;
  return {
    id,
    parent: table.parents[place],
    language: table.languages[place] ?? "en",
    stream: table.stream.subarray(table.starts[place], table.starts[place + 1]),
    ends: table.ends.subarray(place * fieldCount, (place + 1) * fieldCount),
  };
}

/** Numbers of terms, assigned in the order of first occurrence. */
export interface Vocabulary {
  readonly texts: readonly string[];
  numberOf(text: string): number | undefined;
  /** Assigns a number to a term that has none. */
  add(text: string): number;
  /** The same for a term of the index's analyzer. */
  addTerm(term: Term): number;
}

/** Maximum number of terms of the analyzer whose number is found without looking their text up. */
const maxNumbered = 1_048_576;

/** Creates an empty vocabulary. */
export function createVocabulary(): Vocabulary {
  const texts: string[] = [];
  const numbers = new Map<string, number>();
  /** One more than the number of a term, by its id; 0 for one that was not looked up. */
  let byId = new Uint32Array(1_024);
  const add = (text: string) => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, texts.length);
    return texts.push(text) - 1;
  };
  return {
    texts,
    numberOf: (text) => numbers.get(text),
    add,
    addTerm({ id, text }) {
      if (id === undefined || id >= maxNumbered) return add(text);
      if (id >= byId.length) byId = enlarge(byId, id + 1);
      const known = byId[id] ?? 0;
      if (known > 0) return known - 1;
      const number = add(text);
      byId[id] = number + 1;
      return number;
    },
  };
}

/** A copy with room for at least `length` numbers. */
export function enlarge(numbers: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(length, 2 * numbers.length));
  larger.set(numbers);
  return larger;
}

/** Creates the function that reads documents as terms. It keeps scratch space. */
export function createDocumentReader(
  fields: readonly string[],
  analyzer: Analyzer,
  vocabulary: Vocabulary,
): (document: LexicalDocument) => AnalyzedDocument {
  let stream = new Uint32Array(4_096);
  return ({ id, parent, language = "en", fields: given }) => {
    let length = 0;
    const ends = new Uint32Array(fields.length);
    fields.forEach((field, at) => {
      const value = given[field];
      const texts = value === undefined ? [] : typeof value === "string" ? [value] : value;
      for (const text of texts) {
        const terms = analyzer.terms(text, language);
        if (length + terms.length > stream.length) stream = enlarge(stream, length + terms.length);
        for (const term of terms) {
          const number = vocabulary.addTerm(term);
          stream[length++] = number;
        }
      }
      ends[at] = length;
    });
    return { id, parent, language, stream: stream.slice(0, length), ends };
  };
}

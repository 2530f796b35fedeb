import { readFileSync } from "node:fs";
import type { Analyzer } from "@constellation/retrieval";
import { z } from "zod";

/** A concept that several words express, as a word that the index can hold; no analyzer gives a colon. */
export type Concept = `${(typeof marks)[keyof typeof marks]}${string}`;

const marks = { work: "about:", field: "field:", everyday: "everyday:" } as const;

/** Whether a term is a subject of everyday life: a query about one that no delegate covers is meant for none. */
export function isEveryday(term: string): boolean {
  return term.startsWith(marks.everyday);
}

/** Whether a term is a field of a business: a query about one that no delegate covers is hardly meant for any. */
export function isField(term: string): boolean {
  return term.startsWith(marks.field);
}

/**
 * Concepts, and words that people use for each. A word may be in several. Those of one concept need not mean
 * the same: a delegate that is asked about one is asked about the others.
 */
const fileSchema = z.array(
  z.strictObject({
    name: z.string().min(1),
    /** `work`: of work and business in general. `field`: of one department. `everyday`: of life. */
    kind: z.enum(["work", "field", "everyday"]),
    words: z.array(z.string().regex(/^\S+$/)).min(1),
  }),
);

/** Read once, for the first librarian. */
let entries: z.output<typeof fileSchema> | undefined;

function readEntries(): z.output<typeof fileSchema> {
  const file = new URL("../../data/concepts.json", import.meta.url);
  return fileSchema.parse(JSON.parse(readFileSync(file, "utf8")));
}

/** Concepts of a word. */
export type ConceptsOf = (term: string) => readonly Concept[];

/** Reads the concepts of `data/concepts.json` with the analyzer that reads the texts: some milliseconds. */
export function createConcepts(analyzer: Analyzer): ConceptsOf {
  entries ??= readEntries();
  const known = new Map<string, Concept[]>();
  for (const { name, kind, words } of entries) {
    const concept: Concept = `${marks[kind]}${name}`;
    for (const word of words) {
      const terms = analyzer.terms(word);
      const { text = "" } = terms.find(({ isExtra }) => isExtra) ?? terms[0] ?? {};
      const own = known.get(text);
      if (own === undefined) known.set(text, [concept]);
      else if (!own.includes(concept)) own.push(concept);
    }
  }
  return (term) => known.get(term) ?? none;
}

const none: readonly Concept[] = [];

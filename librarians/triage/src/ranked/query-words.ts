import { trimTrailing } from "@constellation/core/authoring";
import type { Analyzer } from "@constellation/retrieval";
import { formsOf } from "./question-forms.js";

/** A word of a query, as it was written and as the analyzer knows it. */
export interface QueryWord {
  readonly term: string;
  readonly written: string;
  /** The whole of an identifier whose words came first, or a number: finding it helps, lacking it does not hurt. */
  readonly isExtra: boolean;
  /** A way of asking and no word. */
  readonly isForm: boolean;
}

/** Maximum number of characters of a query that are read. */
const maxQueryLength = 4_000;
/** Maximum number of different words of a query that are looked for. */
const maxWords = 128;

/** Reads the words of a query that tell something of its subject, each once, and how it asks. */
export type ReadWords = (text: string) => readonly QueryWord[];

/** Creates the reader. An analyzer of its own kind must have read what the words are looked for in. */
export function createWordReader(analyzer: Analyzer): ReadWords {
  const silent = new Set(analyzer.terms(askingWords).map(({ text }) => text));
  return (text) => {
    const words = new Map<string, QueryWord>();
    for (const written of text.slice(0, maxQueryLength).match(/\S+/g) ?? []) {
      for (const { text: term, isExtra } of analyzer.terms(written)) {
        if (silent.has(term) || words.has(term) || /^\d{1,2}$/.test(term)) continue;
        const isNumber = /^\d+$/.test(term); // such as a status
        words.set(term, {
          term,
          written: trimTrailing(written.replace(marksInFront, ""), /[^\p{L}\p{N}]/u),
          isExtra: isExtra || isNumber,
          isForm: false,
        });
      }
      if (words.size >= maxWords) break;
    }
    const forms = formsOf(text).map(
      (term): QueryWord => ({ term, written: term, isExtra: false, isForm: true }),
    );
    return [...words.values(), ...forms];
  };
}

const marksInFront = /^[^\p{L}\p{N}]+/u;

/** Words of asking and of politeness: they stand in questions about anything. */
const askingWords = `
  answer ask bit check currently day describe exactly explain find give go going got guys hello help hey hi
  idea information kind know list look looking lot make maybe mean now ok okay possible question quick
  quickly really right say says show sort sure take talk tell thank thanks thing things think time today
  tomorrow try trying understand us want way week well wonder wondering work yesterday anybody anyone
  anything everything somebody someone something good best new still already always never many much`;

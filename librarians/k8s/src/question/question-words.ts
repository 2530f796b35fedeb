import { readFileSync } from "node:fs";
import { createPhrases, type Phrases } from "@constellation/nlu";
import type { KindName } from "../cluster/kinds.js";
import type { SignalType } from "../diagnosis/signal-type.js";
import type { State } from "../fields/table.js";

/** Something that is measured over time, and that the state of objects does not hold. */
export interface Measure {
  /** What is measured, for people. */
  readonly name: string;
  /** Where it is measured: a metric, or what has it. */
  readonly metric: string;
  /** True for what the metrics API says of a pod or a node. */
  readonly isUsage: boolean;
}

/** Words of people for what can be asked: phrases as `createPhrases` reads them, each with what it means. */
interface QuestionWords {
  /** What they may be speaking of. */
  readonly conditions: readonly (readonly [string, readonly SignalType[]])[];
  /** The first that fits counts: what is denied before what is said. */
  readonly states: readonly (readonly [string, State])[];
  readonly measures: readonly (readonly [string, Measure])[];
  readonly verbs: readonly (readonly [string, string])[];
  readonly kinds: readonly (readonly [kinds: readonly KindName[], words: readonly string[]])[];
  /** Kinds of which at least one must have been read to answer a question with the words. */
  readonly needed: readonly (readonly [string, readonly KindName[]])[];
  readonly serviceTypes: readonly (readonly [string, string])[];
  readonly comparators: Readonly<Record<string, string>>;
  readonly extremes: Readonly<
    Record<string, { readonly isMax: boolean; readonly field?: string | undefined }>
  >;
  /** Words that are in questions and name nothing. */
  readonly ignored: string;
  readonly lists: Readonly<Record<string, string>>;
}

/** The tables of words, from a file of data. */
export const questionWords = JSON.parse(
  readFileSync(new URL("../../data/question-words.json", import.meta.url), "utf8"),
) as QuestionWords;

/** A list of phrases by its name. */
export function phrases(name: string): Phrases {
  return createPhrases(questionWords.lists[name] ?? "");
}

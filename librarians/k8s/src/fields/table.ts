import { readFileSync } from "node:fs";

/** A state that a question counts or lists things by. */
export type State =
  | "running"
  | "notRunning"
  | "ready"
  | "notReady"
  | "pending"
  | "failed"
  | "completed"
  | "notCompleted"
  | "oomKilled"
  | "evicted"
  | "terminating"
  | "restarted"
  | "empty"
  | "suspended"
  | "cordoned"
  | "bound"
  | "notBound"
  | "broken"
  | "withoutLimits"
  | "withoutRequests"
  | "withoutProbes"
  | "atMaximum";

/** A state that objects are in or not. */
export interface StateRow {
  /** For people: `not ready`. */
  readonly name: string;
  /** How it is said of one thing, and denied. Absent: with "is" and "is not". */
  readonly verbs?: readonly [said: string, denied: string];
  /** The state that it is the opposite of; with `unlessDone` for what still has to be in that. */
  readonly denies?: State;
  readonly unlessDone?: boolean;
  /** The field that it is judged by, and the value that it has then. Absent: any. */
  readonly at?: string;
  readonly is?: string | number | boolean;
  /** Kinds in which the field that is not set denies it; `*` for all. */
  readonly unset?: readonly string[];
}

/** What a list or a sentence says of a field: a clause for each part at `each`, or one for the object. */
interface Says {
  readonly each?: string;
  /** Parts of the clause, as `fillTemplate` takes them. */
  readonly text: readonly string[];
  /** Kinds that it is said of. Absent: all. */
  readonly kinds?: readonly string[];
}

/** A row of the table of fields, `data/fields.json`. */
export interface FieldRow {
  /** For people: `memory limit`. */
  readonly name: string;
  /** How people write it, where it is compared; plurals are found as well, and of several that fit the longest counts. */
  readonly words?: string;
  /** Nouns that ask for it alone; plain ones also in a sentence, where nothing else has the word. */
  readonly nouns?: string;
  readonly plainNouns?: string;
  /** Phrases that ask for it: those of a list must all be in a question, those behind `!` must not. */
  readonly asks?: readonly (readonly string[])[];
  /** Where it is, as `placesAt` reads it, and what counts where nothing is there. */
  readonly at?: string;
  readonly usual?: string | number;
  /** Where that is a part of, which the text names beside it. */
  readonly of?: string;
  /** Kinds that have it. Absent: all. */
  readonly kinds?: readonly string[];
  /** True for a quantity, or several that are added up. */
  readonly isAmount?: boolean;
  /** True for the number of parts there. */
  readonly isNumber?: boolean;
  /** True for a number of things, of which there can be none. */
  readonly isCounted?: boolean;
  /** True for what is measured, and not set. */
  readonly isUsage?: boolean;
  /** True for a field with few values, which narrow a list. */
  readonly isNarrowing?: boolean;
  readonly says?: readonly Says[];
  /** What is said where it has none. */
  readonly none?: string;
}

/** The tables of fields, from a file of data. */
export const fieldData = JSON.parse(
  readFileSync(new URL("../../data/fields.json", import.meta.url), "utf8"),
) as {
  readonly fields: readonly FieldRow[];
  /** What the status of an object of a kind shows, as parts that `fillTemplate` takes. */
  readonly status: Readonly<Record<string, readonly string[]>>;
  readonly states: Readonly<Record<State, StateRow>>;
  /** Names of fields for words that are not the same. */
  readonly keys: Readonly<Record<string, string>>;
  readonly flags: Readonly<Record<string, string>>;
  /** Words of administrators for what a field of some kinds is, a label is there, or an annotation is. */
  readonly terms: readonly {
    readonly words: string;
    readonly kinds: readonly string[];
    readonly at?: string;
    readonly keys?: readonly string[];
    readonly is?: string;
    /** True where it is the opposite. */
    readonly not?: boolean;
  }[];
  /** Words of people for words of fields. */
  readonly synonyms: Readonly<Record<string, string>>;
  /** Words that are in the paths of most kinds. */
  readonly plainWords: string;
};

import {
  createEntityIndex,
  findNames,
  kindOfKinds,
  type NamedEntity,
  rememberRecent,
} from "@constellation/nlu";
import { type KindName, kindNames } from "../cluster/kinds.js";
import { questionWords } from "./question-words.js";

/** A word of people for kinds. */
interface KindEntity extends NamedEntity {
  readonly kinds: readonly KindName[];
}

const table = questionWords.kinds;

/** Kinds whose own names are everyday words. */
const everyday: ReadonlySet<KindName> = new Set([
  "Namespace",
  "Order",
  "Challenge",
  "Application",
  "CustomResource",
  "Endpoints",
  "Gateway",
]);
const inTable = new Set(table.flatMap(([, words]) => words));
/** Every other kind by the words of its name: `PriorityClass` is "priority class". */
const byName = kindNames
  .map(
    (kind) =>
      [
        [kind],
        [kind.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase()],
      ] as const,
  )
  .filter(([[kind], [words]]) => !everyday.has(kind as KindName) && !inTable.has(words ?? ""));

/** Words for kinds, as an index of names takes them. */
export const kindEntities: readonly KindEntity[] = [...table, ...byName].map(
  ([kinds, [name = "", ...aliases]]) => ({
    kind: kindOfKinds,
    name,
    aliases,
    kinds,
  }),
);

const index = createEntityIndex(kindEntities, { wholeNamesOnly: true });

/** Kinds as `kubectl` writes them, one or many. */
const short = /^(?:po|svc|deploy|sts|ds|rs|ing|cm|pvc|pv|hpa|pdb|netpol|np|ns|sa|ep|cj|no|quota)$/;
/** Before which there are many. */
const listed = /\b(?:list|show(?: me)?|get|all|any|which|what|how many|count)(?: the| of)? $/;

/** A kind that a question names. */
export interface KindMention {
  readonly kinds: readonly KindName[];
  /** Place in the query, and the words there. */
  readonly at: number;
  readonly text: string;
  readonly isPlural: boolean;
}

/** Kinds that a question names, in the order they stand there. */
export const kindsIn = rememberRecent((query): readonly KindMention[] => {
  const lower = query.toLowerCase();
  return findNames(lower, index).flatMap(({ start, end, text, candidates: [best] }) => {
    // A dash, a dot or a sign beside it makes it a part of a name or a value.
    const isPart = /[-._/]/.test(lower.charAt(start - 1)) || /[-_=]/.test(lower.charAt(end));
    if (best === undefined || isPart) return [];
    const before = lower.slice(0, start);
    const isPlural =
      (/[^s]s$|sses$/.test(text) && !/^(?:rs|ds|sts)$/.test(text)) ||
      /\b(?:every|each|all)(?: the)? $/.test(before) ||
      (short.test(text) && listed.test(before));
    return [{ kinds: best.entity.kinds, at: start, text, isPlural }];
  });
});

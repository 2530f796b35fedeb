import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { isKindName, type KindName } from "../cluster/kinds.js";
import type { Investigation } from "../investigation.js";
import { keysIn, spokenKeys } from "../question/field-keys.js";
import { tagIn } from "../question/images.js";
import { kindsIn } from "../question/kind-words.js";
import { toWords } from "../question/words.js";
import { type Field, fields, findField, findFieldAt, usageFields } from "./fields.js";
import { comparisonsIn, type Filter, presencesIn } from "./filters.js";

/** A question that is computed from the fields of objects. */
export interface Query {
  /** What is listed, counted or compared. */
  readonly kinds: readonly KindName[];
  readonly filters: readonly Filter[];
  readonly output: Output;
}

/** What is made of the objects that are left. */
export type Output =
  /** The object with the most or the least of a field. */
  | {
      readonly to: "extreme";
      readonly field: Field;
      readonly isMax: boolean;
      readonly word: string;
    }
  /** How many of a kind there are for each other thing; `most` asks for one of them only. */
  | {
      readonly to: "groups";
      readonly of: KindName;
      readonly per: Grouping;
      readonly most?: "max" | "min";
    }
  | { readonly to: "sum"; readonly field: Field }
  /** Whether all have the same value. */
  | { readonly to: "same"; readonly field: Field }
  /** Two objects by a field. */
  | { readonly to: "compare"; readonly field: Field; readonly isMore: boolean }
  /** Every field in which two objects differ. */
  | { readonly to: "differences" }
  | { readonly to: "yaml" };

/** What things are grouped by: where they run, live or belong to, or what a field says. */
export type Grouping = KindName | Field;

const extremes: Readonly<Record<string, { readonly isMax: boolean; readonly field?: string }>> = {
  most: { isMax: true },
  highest: { isMax: true },
  max: { isMax: true },
  maximum: { isMax: true },
  greatest: { isMax: true },
  top: { isMax: true },
  largest: { isMax: true, field: "size" },
  biggest: { isMax: true, field: "size" },
  oldest: { isMax: true, field: "age" },
  longest: { isMax: true, field: "age" },
  newest: { isMax: false, field: "age" },
  youngest: { isMax: false, field: "age" },
  latest: { isMax: false, field: "age" },
  least: { isMax: false },
  fewest: { isMax: false },
  lowest: { isMax: false },
  minimum: { isMax: false },
  smallest: { isMax: false, field: "size" },
};
const extreme = new RegExp(`\\b(${Object.keys(extremes).join("|")})\\b`, "i");
const more =
  /\b(more|higher|bigger|larger|greater|older|less|fewer|lower|smaller|younger|newer)\b/i;
const using = /\b(?:us\w{1,5}|burn\w*|consum\w*|eat\w*|tak(?:es|ing)|load\w*|busy|busiest)\b/i;
const total = /\b(?:in total|total|altogether|sum of|summed|together)\b/i;
/** Words for being alike; those after the first four say it of many things only. */
const same = "same identical equal alike one uniform consistent different mixed".split(" ");
const countsRestarts =
  /^\W{0,9}(?:(?:and|so|please|pls) )?(?:how many|how often|number of|sum of|total|counts?)\b.{0,60}\brestart/i;
const all = /\b(?:all|every|each|both|everywhere)\b/i;
const yaml = /\b(?:yaml|manifest|json|full spec|whole spec|entire spec|definition)\b/i;
const differs = /\b(?:differ\w*|differences?|compare[sd]?|comparison|vs|versus)\b/i;
const perWord = /\b(?:per|by|for each|for every|in each|on each|each|of each)\b/i;

/** Reads what a question computes. Undefined for one that computes nothing, and where its field is not known. */
export function readQuery(found: Investigation, text: string): Query | undefined {
  const { objects, kindsAsked } = found;
  const mentions = kindsIn(text);
  const kinds =
    mentions.length > 0 ? [...new Set(mentions.flatMap((one) => one.kinds))] : kindsAsked;
  const heads = distinctHeads(objects);
  if (yaml.test(text) && objects.length > 0) return { kinds, filters: [], output: { to: "yaml" } };
  const two = heads.length > 1 && new Set(heads.map(({ kind }) => kind)).size === 1;
  const compared = more.exec(text)?.[1]?.toLowerCase();
  const words = toWords(text.toLowerCase());
  if (two && compared !== undefined && (words.includes("than") || words.includes("which"))) {
    const field =
      findField(text) ?? (/old|young|new/.test(compared) ? fieldNamed("age") : undefined);
    const isMore = /^(?:more|higher|bigger|larger|greater|older)$/.test(compared);
    const isChoice = words.includes("which") && !words.includes("than");
    const isMax = isMore;
    if (field !== undefined && isChoice)
      return {
        kinds: kindsOf(heads),
        filters: [],
        output: { to: "extreme", field, isMax, word: compared },
      };
    if (field !== undefined)
      return { kinds, filters: [], output: { to: "compare", field, isMore } };
  }
  const sameField = words.some((word) => same.slice(0, 4).includes(word))
    ? findField(text)
    : undefined;
  if (two && sameField !== undefined)
    return {
      kinds: kindsOf(heads),
      filters: [],
      output: { to: "same", field: sameField },
    };
  if (two && differs.test(text)) return { kinds, filters: [], output: { to: "differences" } };
  if (countsRestarts.test(text)) {
    const field = fieldNamed("restarts");
    if (field !== undefined && objects.length > 0)
      return { kinds: ["Pod"], filters: [], output: { to: "sum", field } };
  }
  const filters = [...comparisonsIn(text), ...presencesIn(text)];
  const [first] = kinds;
  const impliedKind = first ?? impliedBy(text);
  if (impliedKind === undefined) return undefined;
  const among = kinds.length > 0 ? kinds : [impliedKind];
  const grouped = readGroups(text, mentions, filters);
  if (grouped !== undefined) return grouped;
  const said = extreme.exec(text);
  // The latest tag is no superlative.
  if (said !== null && tagIn(text) === undefined && !isInKey(said[1] ?? "", text)) {
    const word = said[1]?.toLowerCase() ?? "";
    const { isMax = true, field: own } = extremes[word] ?? {};
    const without = mentions.reduce(
      (rest, { text: kind }) => rest.replace(kind, " "),
      text.toLowerCase(),
    );
    const spoken = findField(without) ?? fieldNamed(own ?? "");
    // "The node with the most memory" has it, and does not use it.
    const isSize =
      spoken !== undefined &&
      usageFields.has(spoken.name) &&
      among.includes("Node") &&
      !using.test(text);
    const field = isSize
      ? fieldNamed(spoken.name.startsWith("CPU") ? "allocatable CPU" : "allocatable memory")
      : spoken;
    if (field !== undefined)
      return { kinds: among, filters, output: { to: "extreme", field, isMax, word } };
  }
  if (all.test(text) && words.some((word) => same.includes(word))) {
    const field = findField(text);
    if (field !== undefined && field.name !== "namespace")
      return {
        kinds: field.name === "kubelet version" ? ["Node"] : among,
        filters,
        output: { to: "same", field },
      };
  }
  if (total.test(text)) {
    const field = findField(text);
    if (field !== undefined && field.name !== "containers")
      return { kinds: among, filters, output: { to: "sum", field } };
  }
  return undefined;
}

function kindsOf(heads: readonly KubernetesObject[]): readonly KindName[] {
  return heads.slice(0, 1).flatMap(({ kind }) => (isKindName(kind) ? [kind] : []));
}

/** True for a word that belongs to a field's own name: "max replicas". */
function isInKey(word: string, text: string): boolean {
  return spokenKeys(keysIn(text)).includes(word.toLowerCase());
}

function fieldNamed(name: string): Field | undefined {
  return fields.find((field) => field.name === name);
}

/** The kind of a question that names only a field which one kind has. */
function impliedBy(text: string): KindName | undefined {
  const field = findFieldAt(text)?.field.name;
  return field !== undefined &&
    /^(?:kubelet|kernel|container runtime|operating|architecture)/.test(field)
    ? "Node"
    : undefined;
}

/** "Pods per node", "which node runs the most pods", "which image do most pods run". */
function readGroups(
  text: string,
  mentions: ReturnType<typeof kindsIn>,
  filters: readonly Filter[],
): Query | undefined {
  const at = perWord.exec(text);
  const said = extreme.exec(text);
  const kindOf = (one: (typeof mentions)[number] | undefined) => one?.kinds.find(isKindName);
  if (said !== null) {
    // What stands behind "the most" is counted, for each of what stands before it.
    const behind = mentions.find(
      (one) => one.at > said.index && text.slice(said.index, one.at).split(" ").length <= 3,
    );
    const of = kindOf(behind);
    const before = mentions.find((one) => one !== behind && one.at < said.index);
    const place =
      kindOf(before) ??
      (/\bnamespaces?\b/i.test(text.slice(0, said.index)) ? "Namespace" : undefined);
    if (of === undefined || place === undefined || of === place) return undefined;
    const most = extremes[said[1]?.toLowerCase() ?? ""]?.isMax === false ? "min" : "max";
    return { kinds: [of], filters, output: { to: "groups", of, per: place, most } };
  }
  if (at === null) return undefined;
  // "Which account is bound by binding b?" asks for one.
  const of = kindOf(mentions.find((one) => one.at < at.index && one.isPlural));
  const rest = text.slice(at.index);
  const per =
    kindOf(mentions.find((one) => one.at > at.index)) ??
    (/\bnamespaces?\b/i.test(rest) ? "Namespace" : undefined) ??
    findField(rest);
  if (of === undefined || per === undefined || of === per) return undefined;
  return { kinds: [of], filters, output: { to: "groups", of, per } };
}

/** Objects that a question names, one for each name: a workload before what belongs to it. */
export function distinctHeads(objects: readonly KubernetesObject[]): readonly KubernetesObject[] {
  const byName = new Map<string, KubernetesObject>();
  for (const object of objects) {
    const key = `${object.metadata.namespace ?? ""}/${object.metadata.name}`;
    if (!byName.has(key)) byName.set(key, object);
  }
  return [...byName.values()];
}

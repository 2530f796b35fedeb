import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { timeAt, valueAt } from "../cluster/fields.js";
import { printDuration } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { parseQuantity } from "../diagnosis/quantity.js";
import { computed } from "./computed.js";
import { findPods } from "./pods-of.js";
import { type FieldRow, fieldData } from "./table.js";
import { describeRow, placesAt } from "./template.js";

/** A field of objects, by which they are filtered, sorted, summed, compared and described. */
export interface Field extends FieldRow {
  /** True for what can be added up. */
  readonly isNumeric: boolean;
  /** What a list says of an object beside the value. */
  describe?(object: KubernetesObject, view: ClusterView): string;
  /** What it means of an object, where it has it. */
  read(object: KubernetesObject, view: ClusterView): FieldValue | undefined;
  /** What an object says about it, a clause each. Empty where it does not have it, as a Service has no node. */
  lines(object: KubernetesObject, view: ClusterView): readonly string[];
}

/** A value of a field. */
export interface FieldValue {
  /** What it is compared by. */
  readonly value: number | string;
  readonly text: string;
}

/** Every field that questions name by other words than its own; any other is found in the objects. */
export const fields: readonly Field[] = fieldData.fields.map((row) => {
  const { read: compute, lines, describe } = computed[row.name] ?? {};
  const read: Field["read"] = (object, view) => {
    if (compute !== undefined) return toValue(compute(object, view));
    return row.kinds?.includes(object.kind) === false ? undefined : readRow(row, object, view);
  };
  return {
    ...row,
    isNumeric: [row.isAmount, row.isNumber, row.isCounted, row.isUsage].includes(true),
    ...(describe !== undefined && { describe }),
    read,
    lines(object, view) {
      const said = lines?.(object, view);
      if (said !== undefined) return said;
      if (row.says !== undefined) return describeRow(row, object, view.now);
      const found = read(object, view);
      return found === undefined ? [] : [`${row.name} ${found.text}`];
    },
  };
});

const byName = new Map(fields.map((field) => [field.name, field] as const));

/** A field by its name. */
export function fieldNamed(name: string): Field | undefined {
  return byName.get(name);
}

function toValue(value: number | string | undefined): FieldValue | undefined {
  return value === undefined || value === "" ? undefined : { value, text: String(value) };
}

function readRow(
  row: FieldRow,
  object: KubernetesObject,
  view: ClusterView,
): FieldValue | undefined {
  if (row.isUsage === true)
    return addUp(usageOf(object, row.name.startsWith("CPU") ? "cpu" : "memory", view));
  if (row.name === "age") {
    const created = timeAt(object, "metadata", "creationTimestamp");
    const age = created === undefined ? undefined : view.now - created;
    return age === undefined ? undefined : { value: age, text: printDuration(age) };
  }
  if (row.at === undefined) return undefined;
  const values = placesAt({ value: object }, row.at).map(({ value }) => value);
  if (row.isNumber === true) return values.length === 0 ? undefined : toValue(values.length);
  if (values.length === 0 && row.usual !== undefined) {
    // What holds it must be there.
    const [path = ""] = row.at.split(" or ");
    const holder = path.slice(0, path.lastIndexOf("."));
    return placesAt({ value: object }, holder).length === 0 ? undefined : toValue(row.usual);
  }
  if (row.isAmount !== true) return toValue(values.map(String).join(", "));
  const amount = addUp(values);
  const whole = row.of === undefined ? undefined : valueAt(object, ...row.of.split("."));
  return amount === undefined || whole === undefined
    ? amount
    : { ...amount, text: `${amount.text} of ${String(whole)}` };
}

/** True for a field that is a number of things: "restarts". */
export function isPlural({ name }: FieldRow): boolean {
  return name.endsWith("s") && name === name.toLowerCase();
}

/** `3 restarts`, `memory limit 512Mi`, `82 d old`. */
export function describeValue(field: FieldRow, { text, value }: FieldValue): string {
  if (field.name === "age") return `${text} old`;
  return typeof value === "number" && String(value) === text && isPlural(field)
    ? `${text} ${value === 1 ? field.name.slice(0, -1) : field.name}`
    : `${field.name} ${text}`;
}

/** Quantities added up, written as the only one or as a rounded sum. */
function addUp(found: readonly unknown[]): FieldValue | undefined {
  const numbers = found.map(parseQuantity).filter((value) => value !== undefined);
  if (numbers.length === 0) return undefined;
  const value = numbers.reduce((sum, one) => sum + one, 0);
  return { value, text: found.length === 1 ? String(found[0]) : printQuantity(value) };
}

/** A quantity with a unit that people read. */
export function printQuantity(value: number): string {
  if (value >= 2 ** 30) return `${Math.round((value / 2 ** 30) * 100) / 100}Gi`;
  if (value >= 2 ** 20) return `${Math.round(value / 2 ** 20)}Mi`;
  return value < 1 ? `${Math.round(value * 1_000)}m` : String(Math.round(value * 100) / 100);
}

function usageOf(object: KubernetesObject, resource: "cpu" | "memory", view: ClusterView) {
  const names = new Set(findPods(object, view).map(({ metadata }) => metadata.name));
  return view.usage.flatMap((one) => {
    const isOwn =
      object.kind === "Node"
        ? one.kind === "Node" && one.name === object.metadata.name
        : one.kind === "Pod" && one.namespace === object.metadata.namespace && names.has(one.name);
    return isOwn ? (one[resource] ?? []) : [];
  });
}

/** Fields that are compared, by the words for them. */
const compared = fields.flatMap((field) =>
  (field.words?.split(",") ?? []).map((words) => ({ field, words, parts: words.split(" ") })),
);
/** Maximum number of words from the first to the last one of a name that is not in one piece: "memory that the pods request". */
const maxSpan = 7;

/** Words of a text that name a field, and their places among its words. */
interface FieldMention {
  readonly field: Field;
  readonly words: string;
  readonly at: readonly number[];
}

/** All words of a text that name fields, the longest first; of equally long ones those in one piece, and the first. */
function mentionsIn(text: string): readonly FieldMention[] {
  const said = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const isPart = (word: string | undefined, part: string) => word === part || word === `${part}s`;
  const mentions = compared.flatMap(({ field, words, parts }): readonly FieldMention[] => {
    const whole = said.flatMap((_, start) =>
      parts.every((part, index) => isPart(said[start + index], part))
        ? [{ field, words, at: parts.map((__, index) => start + index) }]
        : [],
    );
    if (whole.length > 0 || parts.length < 2 || field.isUsage === true) return whole;
    const at: number[] = [];
    for (const part of parts)
      at.push(said.findIndex((word, place) => place > (at.at(-1) ?? -1) && isPart(word, part)));
    const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
    // "CPU and memory limit" has a CPU limit, "CPU and architecture" no CPU architecture.
    const isList = ["and", "or"].includes(said[(at.at(-1) ?? 0) - 1] ?? "");
    return at.includes(-1) || span > maxSpan || isList ? [] : [{ field, words, at }];
  });
  const isSplit = ({ at }: FieldMention) => Number(Math.max(...at) - Math.min(...at) >= at.length);
  return mentions.sort(
    (a, b) =>
      b.words.length - a.words.length || isSplit(a) - isSplit(b) || (a.at[0] ?? 0) - (b.at[0] ?? 0),
  );
}

/** The first of the longest words of a text that name a field. */
export function findFieldAt(text: string): FieldMention | undefined {
  return mentionsIn(text)[0];
}

/** As {@link findFieldAt}, the field alone. */
export function findField(text: string): Field | undefined {
  return findFieldAt(text)?.field;
}

/** Every field that a text names, in its order; words that belong to a longer name count for that one only. */
export function findFields(text: string): readonly Field[] {
  const chosen: FieldMention[] = [];
  const used = new Set<number>();
  for (const one of mentionsIn(text)) {
    // "CPU and memory limit" are two limits.
    if (one.at.every((place) => used.has(place))) continue;
    if (one.at.length === 1 && one.at.some((place) => used.has(place))) continue;
    chosen.push(one);
    for (const place of one.at) used.add(place);
  }
  const startOf = ({ at }: FieldMention) => Math.min(...at);
  return [...new Set(chosen.sort((a, b) => startOf(a) - startOf(b)).map(({ field }) => field))];
}

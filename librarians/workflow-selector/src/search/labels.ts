import { MeshError } from "@constellation/core";

/** Labels of a query, as a record or as texts `key:value`. A blank value is not a constraint. */
export type QueryLabels = Readonly<Record<string, string | null | undefined>> | readonly string[];

/** One spelling for a key: without the prefix `kubernaut.io/` or its like, hyphens as underscores, lower case. */
export function labelKey(key: string): string {
  return key
    .trim()
    .replace(/^[a-z0-9.-]+\.[a-z]{2,}\//i, "")
    .replaceAll("-", "_")
    .toLowerCase();
}

/**
 * Reads the labels of a query: normalised keys, values that constrain.
 *
 * @throws MeshError `INVALID_QUERY` for a text without a colon.
 */
export function readQueryLabels(labels: QueryLabels = {}): Readonly<Record<string, string>> {
  const pairs = isList(labels) ? labels.map(splitLabel) : Object.entries(labels);
  const kept = pairs.flatMap(([key, value]) => {
    const text = value?.trim() ?? "";
    return text === "" ? [] : [[labelKey(key), text] as const];
  });
  return Object.fromEntries(kept);
}

function isList(labels: QueryLabels): labels is readonly string[] {
  return Array.isArray(labels);
}

function splitLabel(text: string): readonly [key: string, value: string] {
  const at = text.indexOf(":");
  if (at < 1) {
    throw new MeshError("INVALID_QUERY", `labels: expected key:value, got "${text.slice(0, 40)}".`);
  }
  return [text.slice(0, at), text.slice(at + 1)];
}

/** How an entry's label answers a query's: by its value, by `*`, or not. */
export type LabelMatch = "value" | "any" | "none";

/** Compares one label, letter case aside. A label that the entry lacks does not match. */
export function matchLabel(values: readonly string[] | undefined, wanted: string): LabelMatch {
  const text = wanted.trim().toLowerCase();
  if (text === "") return "value";
  if (values?.some((value) => value.toLowerCase() === text) === true) return "value";
  return values?.includes("*") === true ? "any" : "none";
}

/** Whether one of the components is of a kind: `apps/v1/Deployment` is of kind Deployment. */
export function isOfKind(components: readonly string[] | undefined, kind: string): boolean {
  const wanted = kind.toLowerCase();
  const last = wanted.split("/").at(-1);
  return (components ?? []).some((component) => {
    const text = component.toLowerCase();
    return text === "*" || text === wanted || text.split("/").at(-1) === last;
  });
}

/** Whether every fact that the entry needs is known and as needed. */
export function arePrerequisitesMet(
  prerequisites: Readonly<Record<string, string>>,
  facts: Readonly<Record<string, string>> = {},
): boolean {
  return Object.entries(prerequisites).every(([key, value]) => {
    const known = Object.hasOwn(facts, key) ? facts[key] : undefined;
    return known !== undefined && known.toLowerCase() === value.toLowerCase();
  });
}

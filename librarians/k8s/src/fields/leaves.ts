import { redactSecrets } from "@constellation/authoring";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { quote } from "../diagnosis/quote.js";
import { ignoredWords, toWords } from "../question/words.js";
import { printValue } from "./template.js";

/** How deep a field may be, and the maximum number of fields of one object. */
const maxDepth = 12;
const maxFields = 2_000;
/** Maximum number of fields that are shown, and of characters of a value. */
const maxShown = 4;
const maxOfMany = 13;
const maxValue = 200;
/** Maximum number of places of one key. */
const maxPlaces = 8;
/** Fields that are skipped: field managers' entries, and values of variables and data, which are not printed. */
const left: ReadonlySet<string> = new Set(["managedFields", "data", "binaryData"]);
/** Words that match every field of a kind. */
const plain: ReadonlySet<string> = new Set([
  "name",
  "names",
  "spec",
  "status",
  "kind",
  "type",
  "value",
  "key",
  "pod",
  "pods",
  "container",
  "containers",
]);

/** A field of an object. */
export interface Leaf {
  readonly path: string;
  readonly key: string;
  /** Words of its path, the own ones of the field last. */
  readonly own: readonly string[];
  readonly above: ReadonlySet<string>;
  readonly value: unknown;
}

/** Words of people for words of fields. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  argument: ["arg"],
  parameter: ["arg"],
  min: ["minimum"],
  minimum: ["min"],
  max: ["maximum"],
  maximum: ["max"],
  mode: ["modes"],
  ip: ["ips"],
  uid: ["user"],
};

/** A field of an object that a question's words name. */
export interface NamedField {
  readonly object: KubernetesObject;
  readonly line: string;
  /** True for a name of several words. */
  readonly isLong: boolean;
}

/**
 * Finds fields that the words of a question name: `nodePort` is "node port", `livenessProbe.httpGet.path` the "path of
 * the liveness probe". The fields with the most matching words win; among equal objects, the first.
 *
 * @param named - Words of the question that name objects and therefore not fields.
 * @param kinds - Words for kinds, which do not name a field by themselves.
 * @param isMany - The same field of all objects of one kind, or of one that it counts.
 */
export function namedFields(
  query: string,
  objects: readonly KubernetesObject[],
  named: readonly string[],
  kinds: readonly string[],
  isMany = false,
): readonly NamedField[] {
  const weak = new Set([...plain, ...kinds.map(singular)]);
  const names = new Set(named.map((name) => name.toLowerCase()));
  const said = new Set(
    toWords(query.toLowerCase())
      .filter((word) => !names.has(word))
      .flatMap((word) => [...splitWords(word), word])
      .map(singular)
      .flatMap((word) => [word, ...(synonyms[word] ?? [])]),
  );
  // "Schedule of nightly" begins with the field.
  const [head = ""] = query.toLowerCase().split(" of ");
  const heads = new Set(splitWords(head).map(singular));
  const isPhrase = heads.size <= 3 && head.length < query.length;
  const scored = objects.flatMap((object) =>
    collectLeaves(object).flatMap((leaf) => {
      const isHead = heads.size <= 3 && leaf.own.every((word) => heads.has(word));
      const score = scoreLeaf(leaf, said, isHead ? new Set() : weak, isHead, isPhrase);
      return score === 0 ? [] : [{ object, leaf, score }];
    }),
  );
  const best = Math.max(0, ...scored.map(({ score }) => score));
  const [first] = scored.filter(({ score }) => score === best);
  return scored
    .filter(
      ({ score, object, leaf }) =>
        score === best &&
        (object === first?.object ||
          // "Hosts of all routes"
          (isMany && object.kind === first?.object.kind && leaf.path === first.leaf.path)),
    )
    .slice(0, isMany ? maxOfMany : maxShown)
    .map(({ object, leaf: { path, value, own } }) => ({
      object,
      isLong: own.length > 1 && own.every((word) => said.has(word)),
      line: `${path} ${printLeaf(value, maxValue)}`,
    }));
}

/** A value in words; those of a list stand behind each other, as a flag and its value do in a command line. */
export function printLeaf(value: unknown, most: number, program?: string): string {
  return quote(
    Array.isArray(value) ? redactedItems(value, program).join(" ") : String(value),
    most,
  );
}

/** White space that ends no command, and that items of a list do not have. */
const joint = "\t";

/**
 * Texts of a list without what is secret in one, or in one behind the program and the flag that name it. The list is looked
 * at as a whole, once. A secret over several items is one item.
 *
 * @param program - What takes them, where the list does not name it.
 */
export function redactedItems(values: readonly unknown[], program = ""): readonly string[] {
  const items = values.map((value) => String(value).replaceAll(joint, " "));
  const all = redactSecrets([program, ...items].join(joint));
  return all
    .split(joint)
    .slice(1)
    .map((item) => redactSecrets(item));
}

/** Counts matching words. 0 unless the question has all words of the field's own name, and one that is not generic. */
function scoreLeaf(
  { own, above }: Leaf,
  said: ReadonlySet<string>,
  weak: ReadonlySet<string>,
  isHead: boolean,
  isPhrase: boolean,
): number {
  const known = own.filter((word) => said.has(word));
  // "Grace period" is `terminationGracePeriodSeconds`.
  const isMost =
    known.length > 1 && known.length * 2 >= own.length && !own.some((word) => weak.has(word));
  // "Holder of the lease" is `holderIdentity`.
  const isBegun =
    isPhrase &&
    own.length === 2 &&
    known[0] === own[0] &&
    !weak.has(own[0] ?? "") &&
    !ignoredWords.has(own[0] ?? "");
  if (own.length === 0 || (known.length < own.length && !isMost && !isBegun)) return 0;
  const parents = [...above].filter(
    (word) => said.has(word) && !weak.has(word) && !own.includes(word),
  );
  // A single common word is as often a part of the sentence as a field.
  const isSure =
    isHead ||
    own.length > 1 ||
    parents.length > 0 ||
    !(weak.has(own[0] ?? "") || ignoredWords.has(own[0] ?? ""));
  return isSure ? known.length * 2 + parents.length - (own.length - known.length) / 2 : 0;
}

/**
 * Every field of an object with its path, at most 2,000; what people keep in variables and data is left out.
 *
 * @param withBranches - Fields that hold other fields, too.
 */
export function collectLeaves(object: KubernetesObject, withBranches = false): readonly Leaf[] {
  const found: Leaf[] = [];
  const visit = (value: unknown, path: string, above: readonly string[], depth: number) => {
    if (depth > maxDepth || found.length >= maxFields) return;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, `${path}[${index}]`, above, depth + 1);
      return;
    }
    for (const one of listAt(value, "env")) {
      const name = textAt(one, "name");
      if (name === undefined) continue;
      found.push({
        path: `${path}.env{${name}}`,
        key: name,
        own: splitWords(name).map(singular),
        above: new Set(above),
        value: printVariable(one),
      });
    }
    for (const [field, one] of Object.entries(recordAt(value))) {
      if (left.has(field) || one === undefined || one === null) continue;
      if (field === "env" && Array.isArray(one)) continue;
      // Only the part of a label's key after its domain counts as words.
      const own = splitWords(field.split("/").at(-1) ?? field).map(singular);
      const at =
        field.includes("/") || field.includes(".") ? `${path}["${field}"]` : `${path}.${field}`;
      const isScalar =
        typeof one !== "object" ||
        (Array.isArray(one) && one.every((each) => typeof each !== "object"));
      if (isScalar || withBranches)
        found.push({ path: at, key: field, own, above: new Set(above), value: one });
      if (!isScalar) visit(one, at, [...above, ...own], depth + 1);
    }
  };
  for (const part of ["metadata", "spec", "status"]) visit(recordAt(object, part), part, [], 0);
  for (const [field, value] of Object.entries(object))
    if (!["metadata", "spec", "status", "kind", "apiVersion"].includes(field) && !left.has(field))
      visit({ [field]: value }, "", [], 0);
  return found.map((leaf) => ({ ...leaf, path: leaf.path.replace(/^\./, "") }));
}

/** Every place where an object has a field of this name, with its value: `spec.restartPolicy Always`. */
export function keyLines(key: string, object: KubernetesObject): readonly string[] {
  // `persistentVolumeReclaimPolicy` is a reclaim policy; one short word is a field of its own only.
  const isLong = /[A-Z]/.test(key);
  const isMeant = (field: string) =>
    field === key || (isLong && field.toLowerCase().endsWith(key.toLowerCase()));
  const found: Leaf[] = [];
  for (const leaf of collectLeaves(object, true)) {
    const isBelow = found.some(({ path }) => leaf.path.startsWith(`${path}.`));
    const isOwn = !leaf.path.startsWith("metadata.annotations") && !leaf.path.includes(".env{");
    if (isOwn && !isBelow && isMeant(leaf.key)) found.push(leaf);
  }
  return found.slice(0, maxPlaces).map(({ path, value }) => `${path} ${printValue(value)}`);
}

/** The value of a variable of a container, or where it comes from. */
export function printVariable(variable: unknown): string {
  const value = textAt(variable, "value");
  if (value !== undefined) {
    const name = textAt(variable, "name") ?? "";
    const both = redactSecrets(`${name}=${value}`);
    return both.startsWith(`${name}=`) ? both.slice(name.length + 1) : both;
  }
  const [source, reference] = Object.entries(recordAt(variable, "valueFrom"))[0] ?? [];
  return source === undefined
    ? "empty"
    : `from ${source.replace(/KeyRef$/, "")} ${textAt(reference, "name") ?? ""} ${textAt(reference, "key") ?? textAt(reference, "fieldPath") ?? ""}`.trim();
}

/** `nodePort` is "node" and "port", `podCIDR` "pod" and "cidr". */
function splitWords(word: string): readonly string[] {
  return word
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .toLowerCase()
    .split(/[\s._-]/)
    .filter((part) => part !== "");
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

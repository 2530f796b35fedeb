import { redactSecrets } from "@constellation/authoring";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { readOwnFields, redactNamed } from "../cluster/own-fields.js";
import { quote } from "../diagnosis/quote.js";
import { singular, splitWords } from "./path-words.js";

/** How deep a field may be, and the maximum number of fields of one object. */
const maxDepth = 12;
const maxFields = 2_000;
/** Fields that are skipped: field managers' entries, and values of variables and data, which are not printed. */
const left: ReadonlySet<string> = new Set([
  ...["managedFields", "data", "binaryData"],
  "kubectl.kubernetes.io/last-applied-configuration",
]);
/** Maximum number of characters of a value that says which item of a list it is in, and of such values. */
const maxNaming = 63;
const maxNamings = 12;
/** A field of an object. */
export interface Leaf {
  readonly path: string;
  readonly key: string;
  /** Words of its path, the own ones of the field last. */
  readonly own: readonly string[];
  readonly above: ReadonlySet<string>;
  readonly value: unknown;
}

/** A path without the places in lists. */
export function patternOf({ path }: Pick<Leaf, "path">): string {
  return path.replace(/\[\d{1,6}\]/g, "");
}

/** True for a value that holds other fields; a list of plain values does not. */
export function isBranch(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    !(Array.isArray(value) && value.every((one) => typeof one !== "object"))
  );
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
        above: new Set([...above, "env", "variable"]),
        value: printVariable(one),
      });
    }
    const which = path.endsWith("]") ? valuesBeside(recordAt(value)) : [];
    const inside = [...above, ...which.flatMap(splitWords).map(singular)];
    found.push(...flagsOf(value, path, inside));
    for (const [field, one] of Object.entries(recordAt(value))) {
      if (left.has(field) || one === undefined || one === null) continue;
      if (field === "env" && Array.isArray(one)) continue;
      // Only the part of a label's key after its domain counts as words.
      const own = splitWords(field.split("/").at(-1) ?? field).map(singular);
      const at =
        field.includes("/") || field.includes(".") ? `${path}["${field}"]` : `${path}.${field}`;
      if (withBranches || !isBranch(one))
        found.push({ path: at, key: field, own, above: new Set(inside), value: one });
      if (isBranch(one)) visit(one, at, [...inside, ...own], depth + 1);
    }
  };
  const { data, ...own } = readOwnFields(object);
  const whole = { ...object, ...own };
  for (const part of ["metadata", "spec", "status"]) visit(recordAt(whole, part), part, [part], 0);
  for (const [key, text] of Object.entries(recordAt(data)))
    visit({ [key]: readContent(String(text)) }, "data", ["data"], 0);
  for (const [field, value] of Object.entries(whole))
    if (!["metadata", "spec", "status", "kind", "apiVersion"].includes(field) && !left.has(field))
      visit({ [field]: value }, "", [], 0);
  return found.map((leaf) => ({ ...leaf, path: leaf.path.replace(/^\./, "") }));
}

/**
 * Values in an item of a list, which say which one it is: "the cpu target" is that of the metric whose resource is `cpu`,
 * "the verbs on pods" are those of the rule with `pods`.
 */
function valuesBeside(item: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(item)
    .flatMap(([key, value]) => (key === "value" ? [] : Array.isArray(value) ? value : [value]))
    .filter(
      (one): one is string =>
        typeof one === "string" && /^[\w./-]+$/.test(one) && one.length <= maxNaming,
    )
    .slice(0, maxNamings);
}

/** The settings of a text, as JSON or lines of names and values have them; a text without any as it is. */
function readContent(text: string): unknown {
  const first = text.trimStart().charAt(0);
  if (first === "{" || first === "[") {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  const settings = text.split("\n").flatMap((line) => {
    const [, name, value] =
      /^\s{0,40}([\w."'-]{1,64})\s{0,9}[:=\s]\s{0,9}(\S.{0,400})$/.exec(line) ?? [];
    return name === undefined || value === undefined
      ? []
      : [[name.replace(/["']/g, ""), value.trim()]];
  });
  return settings.length === 0 || !text.includes("\n") ? text : Object.fromEntries(settings);
}

/** Flags of a command line as fields of a container: `--maxmemory 256mb`. */
function flagsOf(container: unknown, path: string, above: readonly string[]): readonly Leaf[] {
  const parts = [...listAt(container, "command"), ...listAt(container, "args")];
  if (parts.length === 0) return [];
  const items = redactedItems(parts, textAt(container, "image"));
  return items.flatMap((item, index) => {
    const [, flag = "", given] = /^-{1,2}([\w.-]{2,64})(?:=(.*))?$/s.exec(item) ?? [];
    const next = items[index + 1] ?? "";
    const value = given ?? (next.startsWith("-") ? "" : next);
    return flag === ""
      ? []
      : [
          {
            path: `${path}.args{${item.split("=")[0]}}`,
            key: flag,
            own: splitWords(flag).map(singular),
            above: new Set(above),
            value,
          },
        ];
  });
}

/** The value of a variable of a container, or where it comes from. */
export function printVariable(variable: unknown): string {
  const value = textAt(variable, "value");
  if (value !== undefined) return redactNamed(textAt(variable, "name") ?? "", value);
  const [source, reference] = Object.entries(recordAt(variable, "valueFrom"))[0] ?? [];
  return source === undefined
    ? "empty"
    : `from ${source.replace(/KeyRef$/, "")} ${textAt(reference, "name") ?? ""} ${textAt(reference, "key") ?? textAt(reference, "fieldPath") ?? ""}`.trim();
}

import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt } from "../cluster/fields.js";

/** Maximum number of values of one object, how deep they may be, and their length. */
const maxValues = 500;
const maxDepth = 9;
const maxLength = 253;
/** Smaller numbers are amounts, and no ports. */
const minNumber = 20;
/** What holds text, and no value that things are sorted by. */
const left: ReadonlySet<string> = new Set([
  "managedFields",
  "annotations",
  "data",
  "env",
  "command",
  "args",
]);

const known = new WeakMap<KubernetesObject, ReadonlySet<string>>();

/** Values of an object's labels, owners and fields that things are sorted by, in lower case. */
export function collectValues(object: KubernetesObject): ReadonlySet<string> {
  const before = known.get(object);
  if (before !== undefined) return before;
  const values = new Set<string>();
  const visit = (value: unknown, depth: number) => {
    if (depth > maxDepth || values.size >= maxValues) return;
    if (typeof value === "string") {
      if (value.length <= maxLength) values.add(value.toLowerCase());
      return;
    }
    if (typeof value === "number") {
      if (value >= minNumber) values.add(String(value));
      return;
    }
    if (Array.isArray(value)) for (const one of value) visit(one, depth + 1);
    else
      for (const [field, one] of Object.entries(recordAt(value)))
        if (!left.has(field)) visit(one, depth + 1);
  };
  const { labels, ownerReferences } = object.metadata;
  for (const part of [labels, ownerReferences, object.spec]) visit(part, 0);
  known.set(object, values);
  return values;
}

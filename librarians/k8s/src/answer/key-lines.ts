import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt } from "../cluster/fields.js";
import { quote } from "../diagnosis/quote.js";

/** How deep a field may be in an object, and most places of one field. */
const maxDepth = 12;
const maxFound = 8;
/** Maximum number of characters of a value. */
const maxValue = 200;
/** Values of variables and data are not printed, and what managers wrote is not the object. */
const left: ReadonlySet<string> = new Set(["managedFields", "annotations", "env", "data"]);

/** Every place where an object has a field of this name, with its value: `spec.restartPolicy Always`. */
export function keyLines(key: string, object: KubernetesObject): readonly string[] {
  const found: string[] = [];
  const visit = (value: unknown, at: string, depth: number) => {
    if (depth > maxDepth || found.length >= maxFound) return;
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) visit(one, `${at}[${index}]`, depth + 1);
      return;
    }
    for (const [field, one] of Object.entries(recordAt(value))) {
      if (left.has(field)) continue;
      const place = at === "" ? field : `${at}.${field}`;
      if (isKey(field, key) && found.length < maxFound) found.push(`${place} ${print(one)}`);
      else if (typeof one === "object") visit(one, place, depth + 1);
    }
  };
  for (const part of ["metadata", "spec", "status"]) visit(recordAt(object, part), part, 0);
  for (const [field, value] of Object.entries(recordAt(object)))
    if (isKey(field, key)) found.push(`${field} ${print(value)}`);
  return found;
}

/** `persistentVolumeReclaimPolicy` is a reclaim policy; one short word is a field of its own only. */
function isKey(field: string, key: string): boolean {
  const isLong = /[A-Z]/.test(key);
  return field === key || (isLong && field.toLowerCase().endsWith(key.toLowerCase()));
}

function print(value: unknown): string {
  return quote(printPlain(value), maxValue);
}

/** `httpGet (path /up, port 8080), periodSeconds 10` */
function printPlain(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return Object.entries(value)
    .map(([key, one]) => {
      const text = typeof one === "object" ? `(${printPlain(one)})` : String(one);
      return Array.isArray(value) ? text : `${key} ${text}`;
    })
    .join(", ");
}

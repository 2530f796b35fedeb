import { isSecretName, redacted, redactSecrets } from "@constellation/authoring";
import { cleanName, cleanRecord } from "./clean.js";
import type { KubernetesObject } from "./cluster-reader.js";
import { isRecord, type UnknownRecord } from "./fields.js";

/** Maximum number of steps into a field, of members of one part of it, and of characters of a text. */
const maxDepth = 10;
const maxMembers = 200;
const maxText = 4_000;

const kept = new WeakMap<object, UnknownRecord>();
const shown = new WeakMap<object, UnknownRecord>();

/**
 * Keeps fields beside an object that the object itself does not have, since they may hold anything: the spec and status of
 * kinds outside the table, and the data of ConfigMaps. Nothing that looks for failures reads them.
 */
export function keepOwnFields(object: KubernetesObject, fields: UnknownRecord): void {
  const copy = copyPart(fields, 0);
  if (isRecord(copy) && Object.keys(copy).length > 0) kept.set(object, copy);
}

/** Fields that were kept beside an object, without what is secret in them. Empty for most kinds. */
export function readOwnFields(object: KubernetesObject): UnknownRecord {
  const raw = kept.get(object);
  if (raw === undefined) return {};
  const before = shown.get(object);
  if (before !== undefined) return before;
  const { data, ...rest } = raw;
  const clean = redactPart("", cleanRecord(rest));
  // What a file holds keeps its lines.
  const texts = isRecord(data) ? Object.entries(data) : [];
  const fields = {
    ...(isRecord(clean) && clean),
    ...(texts.length > 0 && {
      data: Object.fromEntries(
        texts.map(([key, text]) => [cleanName(key), redactNamed(key, text)]),
      ),
    }),
  };
  shown.set(object, fields);
  return fields;
}

/** A part without what is too deep, too many or too long. */
function copyPart(value: unknown, depth: number): unknown {
  if (depth > maxDepth) return undefined;
  if (typeof value === "string") return value.length <= maxText ? value : undefined;
  if (Array.isArray(value))
    return value.slice(0, maxMembers).map((one) => copyPart(one, depth + 1));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, maxMembers)
      .flatMap(([field, one]) => {
        const part = copyPart(one, depth + 1);
        return part === undefined ? [] : [[field, part]];
      }),
  );
}

function redactPart(name: string, value: unknown): unknown {
  if (typeof value === "string") return isSecretName(name) ? redacted : redactNamed(name, value);
  if (Array.isArray(value)) return value.map((one) => redactPart(name, one));
  if (!isRecord(value)) return value;
  // `name: DB_PASSWORD, value: x`
  const variable = typeof value.name === "string" ? value.name : "value";
  return Object.fromEntries(
    Object.entries(value).map(([field, one]) => [
      field,
      redactPart(field === "value" ? variable : field, one),
    ]),
  );
}

/** A value without what is secret in it, or by its name. */
export function redactNamed(name: string, value: unknown): string {
  const both = redactSecrets(`${name}=${redactSecrets(String(value))}`);
  return both.startsWith(`${name}=`) ? both.slice(name.length + 1) : both;
}

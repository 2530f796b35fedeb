import { isRecord } from "@constellation/core/checks";
import { redactSecrets } from "../redact-secrets.js";
import { isKeyName, isSecretName, redacted } from "../secrets/secret-names.js";
import { isPlaceholder, looksLikeKey } from "../secrets/value-shape.js";

/** Numbers are counts elsewhere: `token: 12`. */
const passwordName = /pass(?:word|wd|phrase|code)|pwd/i;

/**
 * Writes a value as JSON without its secrets: each text is redacted as by `redactSecrets`, texts under a name such as
 * `password` and the data of a Kubernetes Secret are replaced whole.
 *
 * @throws TypeError for what JSON cannot hold: a cycle, a bigint.
 */
export function redactJson(value: unknown): string {
  return JSON.stringify(value, function (this: unknown, key: string, item: unknown) {
    if (typeof item === "string") return redactText(this, key, item);
    if (typeof item === "number" && passwordName.test(key) && isSecretName(key)) return redacted;
    if (Array.isArray(item)) return redactItems(key, item);
    return isRecord(item) ? redactNames(key, item) : item;
  });
}

function redactText(holder: unknown, key: string, text: string): string {
  const name = getFieldName(holder, key);
  if (isSecretName(name) && text !== "" && !isPlaceholder(text)) return redacted;
  if (isKeyName(name) && looksLikeKey(text)) return redacted;
  return redactSecrets(text);
}

/** `{ name: "DB_PASSWORD", value: "x" }`, as variables of containers and headers are written. */
function getFieldName(holder: unknown, key: string): string {
  if (key !== "value" || !isRecord(holder)) return key;
  const name = holder.name ?? holder.key;
  return typeof name === "string" ? name : key;
}

/** `secrets: ["x"]`, and the pair of a header: `["authorization", "x"]`. */
function redactItems(key: string, items: readonly unknown[]): readonly unknown[] {
  const [name] = items;
  const isPair = items.length === 2 && typeof name === "string" && isSecretName(name);
  if (!isPair && !isSecretName(key)) return items;
  return items.map((item, at) =>
    typeof item === "string" && !(isPair && at === 0) ? redacted : item,
  );
}

/** An object whose names hold no secret either, and whose data is hidden where it is a Secret of Kubernetes. */
function redactNames(
  key: string,
  item: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const isSecret = item.kind === "Secret";
  if (typeof item.value === "string" && isSecretName(key)) return { ...item, value: redacted };
  const names = Object.keys(item);
  if (!isSecret && !names.some(mayHoldSecret)) return item;
  return Object.fromEntries(
    names.map((name) => {
      const value = item[name];
      const isData = isSecret && (name === "data" || name === "stringData") && isRecord(value);
      return [
        mayHoldSecret(name) ? redactSecrets(name) : name,
        isData ? Object.fromEntries(Object.keys(value).map((key) => [key, redacted])) : value,
      ];
    }),
  );
}

function mayHoldSecret(name: string): boolean {
  return name.length >= 12 && /[\d\s=:@]/.test(name);
}

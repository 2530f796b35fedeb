import { redactSecrets } from "../redact-secrets.js";
import { isSecretName, redacted } from "../secrets/secret-names.js";
import { isPlaceholder } from "../secrets/value-shape.js";

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
    return isRecord(item) ? redactNames(item) : item;
  });
}

function redactText(holder: unknown, key: string, text: string): string {
  if (isSecretName(getFieldName(holder, key)) && text !== "" && !isPlaceholder(text))
    return redacted;
  return redactSecrets(text);
}

/** `{ name: "DB_PASSWORD", value: "x" }`, as variables of containers are written. */
function getFieldName(holder: unknown, key: string): string {
  if (key !== "value" || !isRecord(holder)) return key;
  return typeof holder.name === "string" ? holder.name : key;
}

/** An object whose names hold no secret either, and whose data is hidden where it is a Secret of Kubernetes. */
function redactNames(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const isSecret = item.kind === "Secret";
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { describeValue, isRecord } from "../contract/unknown-value.js";
import { isId } from "../registry/check-definition.js";
import type { SecretKeys } from "./run/secrets.js";

/** @throws TypeError or RangeError that names the key and the value. */
export function requireSecrets(secrets: unknown): void {
  if (secrets === undefined) return;
  if (!isRecord(secrets)) {
    throw new TypeError(`secrets: expected ids by key of metadata, got ${describeValue(secrets)}.`);
  }
  for (const [key, ids] of Object.entries(secrets)) {
    if (key === "reason") {
      throw new RangeError('secrets: "reason" is recorded for each hop, so it cannot be secret.');
    }
    if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string" && isId(id))) {
      throw new TypeError(`secrets.${key}: expected ids of librarians, got ${describeValue(ids)}.`);
    }
  }
}

/** @returns `undefined` where no key is secret. */
export function secretKeysOf(
  secrets: Readonly<Record<string, readonly string[]>>,
): SecretKeys | undefined {
  const entries = Object.entries(secrets);
  if (entries.length === 0) return undefined;
  return new Map(entries.map(([key, ids]) => [key, new Set(ids)]));
}

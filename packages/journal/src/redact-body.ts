import { redactJson } from "@constellation/authoring";
import { isRecord } from "@constellation/core/checks";

/**
 * Writes a value as JSON without its secrets.
 *
 * @param kept - Top-level keys whose values are not changed, because rights depend on them: a redacted user id would
 * name another user.
 * @throws TypeError for what JSON cannot hold.
 */
export type WriteBody = (value: object, kept?: readonly string[]) => string;

/** What a wait is, and who may answer it. */
export const waitNames: readonly string[] = [
  "id",
  "runId",
  "kind",
  "librarian",
  "by",
  "requestedBy",
  "excludeRequester",
  "expiresAt",
];

/** @param redact - Takes secrets out of JSON, which stays JSON. */
export function createWriteBody(redact: ((text: string) => string) | undefined): WriteBody {
  const write =
    redact === undefined ? redactJson : (value: object) => redact(JSON.stringify(value));
  return (value, kept = []) => {
    const text = write(value);
    const names = kept.filter((name) => Reflect.get(value, name) !== undefined);
    if (names.length === 0) return text;
    const written: unknown = JSON.parse(text);
    const whole = Object.fromEntries(names.map((name) => [name, Reflect.get(value, name)]));
    return JSON.stringify({ ...(isRecord(written) && written), ...whole });
  };
}

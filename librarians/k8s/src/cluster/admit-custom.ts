import { isSecretName } from "@constellation/authoring";
import { isRecord, type UnknownRecord } from "./fields.js";

/** Maximum number of steps into a spec, of members of one part of it, and of characters of a text. */
const maxDepth = 8;
const maxMembers = 200;
const maxText = 1_000;

/** Fields of a spec that name something, or count it. */
const naming =
  /^(?:name|kind|namespace|group|apiVersion|key|host)$|(?:Name|Ref|Class|Version)$|(?:[Ll]ocation|[Ss]tore|[Ss]ource|[Gg]ateway|[Ii]ssuer|[Pp]olicy|[Pp]rofile|[Pp]ool|[Qq]ueue|[Tt]emplate|[Rr]epository|[Cc]luster|[Pp]rovider|[Pp]roject)s?$/;
/** What is said of a failure in several texts. */
const reports = /(?:error|message|reason|warning|failure)s$/i;

/**
 * Copies the status and references of a resource of an unknown kind: conditions, phase, counts and names. Its other
 * values may hold anything and are dropped.
 */
export function admitCustomBody(value: UnknownRecord): UnknownRecord {
  const { spec, status } = value;
  return {
    ...(isRecord(spec) && { spec: namesIn(spec, 0) }),
    ...(isRecord(status) && { status: reportsIn(status) }),
  };
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length <= maxText;
}

/** @param isNaming - True for what is under a field that names something. */
function namesIn(value: unknown, depth: number, isNaming = false): unknown {
  if (depth > maxDepth) return undefined;
  if (Array.isArray(value))
    return value
      .slice(0, maxMembers)
      .map((one) => (isNaming && isShort(one) ? one : namesIn(one, depth + 1, isNaming)));
  if (!isRecord(value)) return undefined;
  const kept: [string, unknown][] = [];
  for (const [field, one] of Object.entries(value).slice(0, maxMembers)) {
    const isPlain = typeof one === "number" || typeof one === "boolean";
    const names = naming.test(field) && !isSecretName(field);
    const part = isPlain || (names && isShort(one)) ? one : namesIn(one, depth + 1, names);
    if (part !== undefined) kept.push([field, part]);
  }
  return Object.fromEntries(kept);
}

function reportsIn(status: UnknownRecord): UnknownRecord {
  const kept: [string, unknown][] = [];
  for (const [field, one] of Object.entries(status).slice(0, maxMembers)) {
    if (/^(?:conditions|listeners|parents|health)$/.test(field)) kept.push([field, one]);
    else if (typeof one === "number" || typeof one === "boolean") kept.push([field, one]);
    else if (typeof one === "string" && !isSecretName(field))
      kept.push([field, one.slice(0, maxText)]);
    else if (Array.isArray(one) && reports.test(field) && !isSecretName(field))
      kept.push([field, one.slice(0, maxMembers).filter(isShort)]);
    else if (isRecord(one) && typeof one.message === "string")
      kept.push([field, { message: one.message.slice(0, maxText) }]);
  }
  return Object.fromEntries(kept);
}

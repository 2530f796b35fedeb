import { createHash } from "node:crypto";
import { sanitizeText } from "@constellation/authoring";
import { isRecord } from "./fields.js";

/** Maximum length of a name: an API server takes 253 characters, and 317 for the key of a label. */
const maxName = 320;

/** Fields that name something; their texts are bounded. */
const naming =
  /^(?:name|kind|namespace|group|apiVersion|key|host|uid|reason|type|phase)$|(?:Name|Ref|Class|Version|UID|ID)$/;

/** Fields whose text people or programs wrote, in lines. */
const written: ReadonlySet<string> = new Set([
  "message",
  "note",
  "command",
  "args",
  "value",
  "annotations",
  "description",
]);

/** Characters that are invalid in names and invisible: controls, line breaks, and those that turn or hide text. */
const hostile = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|\\(?=u\{)/gu;

/** Bounds of one object. No kind of Kubernetes is nearly as deep or as large. */
const maxDepth = 64;
const maxNodes = 200_000;

/**
 * A name as it can stand on any line: each control, invisible and direction-turning character is written
 * as `\u{1b}`. Different names stay different, so that no object hides another. Of more than 320 characters
 * the beginning is kept, with a hash of the whole.
 */
export function cleanName(name: string): string {
  const visible = showHostile(name);
  if (visible.length <= maxName) return visible;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return `${visible.slice(0, maxName - hash.length - 1)}…${hash}`;
}

/**
 * Copies a JSON value with all text in it cleaned: keys and names as {@link cleanName} does, what was written in
 * lines as `sanitizeText` does, any other text as a name without a bound. What is deeper than 64 levels, and what
 * comes after 200,000 values, is left out.
 *
 * @param field - Field that holds the value.
 */
export function cleanValue(value: unknown, field = ""): unknown {
  let nodes = 0;

  function clean(one: unknown, name: string, depth: number): unknown {
    if (typeof one === "string") {
      if (written.has(name)) return sanitizeText(one);
      return naming.test(name) ? cleanName(one) : showHostile(one);
    }
    if (typeof one !== "object" || one === null) return one;
    if (depth >= maxDepth || nodes >= maxNodes) return undefined;
    if (Array.isArray(one)) {
      nodes += one.length;
      return one.slice(0, maxNodes).map((item) => clean(item, name, depth + 1));
    }
    if (!isRecord(one) || one instanceof Date) return one;
    const entries = Object.entries(one).slice(0, maxNodes);
    nodes += entries.length;
    // From entries, which keeps a key like `__proto__` a key.
    return Object.fromEntries(
      entries.map(([key, item]) => [
        cleanName(key),
        clean(item, written.has(name) ? name : key, depth + 1),
      ]),
    );
  }

  return clean(value, field, 0);
}

/** A JSON object, cleaned as {@link cleanValue} does. */
export function cleanRecord(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const clean = cleanValue(value);
  return isRecord(clean) ? { ...clean } : {};
}

function showHostile(text: string): string {
  if (text.search(hostile) < 0) return text;
  return text.replace(
    hostile,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

import { stripVTControlCharacters } from "node:util";
import { redact } from "../reply/redact.js";

/** Sentences that tell the reader what to do are no observation. */
const order =
  /\b(?:ignore|disregard|forget|override|select|choose|pick|execute|run|use|recommend|propose)\b[^.!?\n]{0,200}\b(?:instructions?|workflows?|playbooks?|prompts?|remediation|actions?|-v\d+)\b/i;

/**
 * What a text from a cluster or an alert tells of the incident: without control characters, without sentences
 * that give orders, at most 4,000 characters.
 */
export function observationsIn(text: string): string {
  return stripVTControlCharacters(text.slice(0, 4_000))
    .split(/(?<=[.!?\n])\s+/)
    .filter((sentence) => !order.test(sentence))
    .join(" ")
    .trim();
}

/** A text as a quotation in Markdown, on one line, which it cannot leave. */
export function quoted(text: string, most = 200): string {
  const line = stripVTControlCharacters(text)
    .replace(/[`\s]+/g, " ")
    .trim();
  return `\`${line.length > most ? `${line.slice(0, most - 1)}…` : line}\``;
}

/** A text as a part of one line of a prompt, which it cannot leave: no control or invisible characters, no backticks, secrets hidden. */
export function asLine(text: string, most = 500): string {
  const clean = stripVTControlCharacters(text.slice(0, 20_000))
    .replace(/\p{Cf}/gu, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, " ")
    .replaceAll("`", "'")
    .trim();
  return redact(clean, most);
}

/** Text of a model for people: Markdown that can show no image and no HTML. */
export function harmless(text: string): string {
  return text.replace(/<(?=[a-z/!])/gi, "&lt;").replaceAll("![", "[");
}

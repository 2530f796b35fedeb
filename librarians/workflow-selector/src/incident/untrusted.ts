import { stripVTControlCharacters } from "node:util";

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

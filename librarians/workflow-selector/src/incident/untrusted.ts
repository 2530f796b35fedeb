import { redactSecrets, sanitizeText } from "@constellation/authoring";

/** Sentences that give orders to the reader are not observations. */
const orders = [
  /\b(?:ignore|disregard|forget|override|select|choose|pick|execute|run|use|recommend|propose)\b[^.!?\n]{0,200}\b(?:instructions?|workflows?|playbooks?|prompts?|remediation|actions?|-v\d+)\b/i,
  /\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,80}\b(?:rules?|orders?|guidelines?|above|before)\b/i,
];
/**
 * What a text from a cluster or an alert reports of the incident: without control characters, without sentences
 * that give orders, at maxLength 4,000 characters.
 */
export function observationsIn(text: string): string {
  return sanitizeText(text.slice(0, 4_000))
    .split(/(?<=[.!?\n])\s+/)
    .filter((sentence) => !orders.some((order) => order.test(sentence)))
    .join(" ")
    .trim();
}

/** A text as a quotation in Markdown, on one line, which it cannot leave. */
export function quoted(text: string, maxLength = 200): string {
  const line = onOneLine(text.slice(0, maxLength * 10))
    .replaceAll("`", " ")
    .replace(/ +/g, " ")
    .trim();
  return `\`${line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line}\``;
}

/** A text as a part of one line of a prompt, which it cannot leave: no control or invisible characters, no backticks, secrets hidden. */
export function asLine(text: string, maxLength = 500): string {
  return redactSecrets(onOneLine(text.slice(0, 20_000)).replaceAll("`", "'"), { maxLength });
}

/** Text of others for people: Markdown without images, links, HTML, and control and invisible characters. */
export function harmless(text: string): string {
  return sanitizeText(text)
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replaceAll("![", "[")
    .replace(/\](?=[([:])/g, "] ");
}

/** An id or a version of others: as it is when it is plain, else quoted. */
export function identifier(text: string): string {
  return /^[\w.:@/+-]{1,255}$/.test(text) ? text : quoted(text, 255);
}

function onOneLine(text: string): string {
  return sanitizeText(text, { singleLine: true });
}

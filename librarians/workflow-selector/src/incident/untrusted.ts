import { redact } from "../reply/redact.js";

/** Sentences that tell the reader what to do are no observation. */
const order =
  /\b(?:ignore|disregard|forget|override|select|choose|pick|execute|run|use|recommend|propose)\b[^.!?\n]{0,200}\b(?:instructions?|workflows?|playbooks?|prompts?|remediation|actions?|-v\d+)\b/i;

/**
 * What a text from a cluster or an alert tells of the incident: without control characters, without sentences
 * that give orders, at most 4,000 characters.
 */
export function observationsIn(text: string): string {
  return visible(text.slice(0, 4_000))
    .split(/(?<=[.!?\n])\s+/)
    .filter((sentence) => !order.test(sentence))
    .join(" ")
    .trim();
}

/** A text as a quotation in Markdown, on one line, which it cannot leave. */
export function quoted(text: string, most = 200): string {
  const line = onOneLine(text.slice(0, most * 10))
    .replaceAll("`", " ")
    .replace(/ +/g, " ")
    .trim();
  return `\`${line.length > most ? `${line.slice(0, most - 1)}…` : line}\``;
}

/** A text as a part of one line of a prompt, which it cannot leave: no control or invisible characters, no backticks, secrets hidden. */
export function asLine(text: string, most = 500): string {
  return redact(onOneLine(text.slice(0, 20_000)).replaceAll("`", "'"), most);
}

/** Text of others for people: Markdown without images, links, HTML, and control and invisible characters. */
export function harmless(text: string): string {
  return visible(text)
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replaceAll("![", "[")
    .replace(/\](?=[([:])/g, "] ");
}

/** An id or a version of others: as it is when it is plain, else quoted. */
export function identifier(text: string): string {
  return /^[\w.:@/+-]{1,255}$/.test(text) ? text : quoted(text, 255);
}

/** A text without control and invisible characters, such as those that hide or reorder what follows. Lines stay lines. */
export function visible(text: string): string {
  return text
    .replace(terminalSequence, "")
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, "\n")
    .replace(/[\p{Cc}\p{Cf}]/gu, (character) => ("\n\t".includes(character) ? character : ""));
}

/** Titles, colours and cursor movements of terminals; each part is bounded, so that it takes linear time. */
const terminalSequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /\u001b\][^\u0007\u001b]{0,200}(?:\u0007|\u001b\\)?|[\u001b\u009b]\[?[0-9;?#]{0,40}[@-~]?/g;

function onOneLine(text: string): string {
  return visible(text).replace(/\s+/g, " ").trim();
}

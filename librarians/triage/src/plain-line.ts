import { sanitizeText, truncateText } from "@constellation/authoring";

/** Puts an untrusted text on one line, for people: without control or invisible characters, Markdown images, links or HTML.
 *
 * @param maxLength - In characters; a longer text is truncated and ends in an ellipsis.
 */
export function toPlainLine(text: string, maxLength: number): string {
  const line = sanitizeText(text.slice(0, maxLength * 20), { singleLine: true })
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replaceAll("![", "[")
    .replace(/\](?=[([:])/g, "] ");
  return truncateText(line, maxLength);
}

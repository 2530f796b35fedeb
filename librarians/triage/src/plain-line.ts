import { sanitizeText, truncateText } from "@constellation/core/authoring";

/**
 * A text of others on one line, for people: no control or invisible characters, no image, link or HTML of Markdown.
 *
 * @param maxLength - In characters; what is longer ends in an ellipsis.
 */
export function plainLine(text: string, maxLength: number): string {
  const line = sanitizeText(text.slice(0, maxLength * 20), { singleLine: true })
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replaceAll("![", "[")
    .replace(/\](?=[([:])/g, "] ");
  return truncateText(line, maxLength);
}

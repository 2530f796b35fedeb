/**
 * A text of others on one line, for people: no control or invisible characters, no image, link or HTML of Markdown.
 *
 * @param maxLength - In characters; what is longer ends in an ellipsis.
 */
export function plainLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 20)
    .replace(/\p{Cf}/gu, "")
    .replace(/[\s\p{C}]+/gu, " ")
    .replace(/<(?=[a-z/!?])/gi, "&lt;")
    .replaceAll("![", "[")
    .replace(/\](?=[([:])/g, "] ")
    .trim();
  return line.length > maxLength ? `${line.slice(0, maxLength - 1).trimEnd()}…` : line;
}

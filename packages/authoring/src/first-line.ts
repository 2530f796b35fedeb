/** Maximum number of characters of a headline that is taken from an answer. */
const maxLength = 300;

/**
 * The first line of an answer, for `headline` of a response: without the Markdown of headings, lists and bold text,
 * at most 300 characters.
 */
export function firstLine(markdown: string): string {
  const line = markdown.split("\n").find((each) => each.trim() !== "") ?? "";
  const text = line
    .replace(/^[#>\s]{1,10}|^\s{0,3}- /, "")
    .replaceAll("**", "")
    .trim();
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}

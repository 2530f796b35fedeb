/** Describes why a path is not inside the root of a knowledge base, on any file system.
 *
 * @returns Undefined for a plain relative path: `troubleshooting/pod-errors.md`.
 */
export function containmentProblem(path: string): string | undefined {
  if (path.trim() === "") return "is blank";
  if (path !== path.trim()) return "has blanks at its ends";
  if (hasControls(path)) return "has control characters";
  if (path.includes("\\")) return "has a backslash";
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return "is a URL or has a drive letter";
  if (path.startsWith("/") || path.startsWith("~")) return "is absolute";
  if (/%[0-9a-f]{2}/i.test(path)) return "is URL-encoded";
  // Full-width dots and slashes become plain ones where a file system or a tool normalises.
  const plain = path.normalize("NFKC");
  if (plain.includes("\\") || count(plain, "/") !== count(path, "/")) return "hides a slash";
  for (const segment of plain.split("/")) {
    if (segment === "") return "has an empty segment";
    // Windows drops dots and blanks at the end of a name: `...` and `.. ` are `..` there.
    if (/^[.\s]*$/.test(segment)) return "has a segment of dots";
    if (/[.\s]$/.test(segment)) return "has a segment that ends in a dot or a blank";
  }
  return undefined;
}

function hasControls(text: string): boolean {
  // \p{Cf}: invisible marks, such as those that turn the writing direction round.
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text);
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

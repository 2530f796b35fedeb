import { type PagePart, readParts } from "./blocks.js";
import { parseTokens } from "./tokens.js";

/** Maximum length of a block of plain text in characters, unless a line is longer. */
const maxBlockLength = 2_000;
/** A line that opens or closes a block of code. */
const fenceLine = /^\s*(`{3,}|~{3,})/;
/** A line that is a heading, or the underline of one. One dash alone is an empty item of a list far more often. */
export const headingLine = /^ {0,3}(?:#{1,6}[ \t]|=+[ \t]*$|--+[ \t]*$)/;

/**
 * Reads the end of a page without a Markdown parser, in time that grows with its lines alone: its headings, the code
 * between fences, and all else as plain text.
 *
 * @param from - The first line that is read. Those before only decide whether it is in a block of code.
 * @param maxHeadings - Headings beyond this number are plain text.
 */
export function readPlainParts(
  lines: readonly string[],
  from: number,
  maxHeadings: number,
): readonly PagePart[] {
  const parts: PagePart[] = [];
  let text: string[] = [];
  let length = 0;
  let startLine = from + 1;
  let fence: string | undefined;
  let headings = 0;

  const close = (endLine: number) => {
    const isBlank = text.every((line) => line.trim() === "");
    const kind = fence === undefined ? "paragraph" : "code";
    const block = { kind, text: text.join("\n"), startLine, endLine } as const;
    if (!isBlank) parts.push({ type: "block", block, links: [], anchors: [] });
    text = [];
    length = 0;
  };

  for (const [at, line] of lines.entries()) {
    const mark = fenceLine.exec(line)?.[1];
    const isFence =
      mark !== undefined &&
      (fence === undefined || (mark.startsWith(fence) && line.trim() === mark));
    if (isFence && at >= from) close(at);
    if (isFence) fence = fence === undefined ? mark : undefined;
    if (isFence || at < from) continue;
    if (fence === undefined && line.trim() === "") continue;
    const heading =
      fence === undefined && headings < maxHeadings && headingLine.test(line)
        ? readHeading(line, text.at(-1), at)
        : undefined;
    if (heading !== undefined) {
      if (heading.startLine === at) text.pop();
      close(heading.startLine - 1);
      parts.push(heading);
      headings++;
      continue;
    }
    if (length + line.length > maxBlockLength) close(at);
    if (text.length === 0) startLine = at + 1;
    text.push(line);
    length += line.length + 1;
  }
  close(lines.length);
  return parts;
}

/** @param above - The text that a line of `=` or `-` may underline. */
function readHeading(
  line: string,
  above: string | undefined,
  at: number,
): Extract<PagePart, { readonly type: "heading" }> | undefined {
  const isUnderline = !line.trimStart().startsWith("#");
  if (isUnderline && above === undefined) return undefined;
  const [heading] = readParts(parseTokens(isUnderline ? `${above}\n${line}` : line));
  if (heading?.type !== "heading") return undefined;
  return { ...heading, startLine: isUnderline ? at : at + 1 };
}

import { type PagePart, readParts } from "./blocks.js";
import { toStandardMarkdown } from "./extensions.js";
import { splitFrontMatter } from "./front-matter.js";
import type { MarkdownPage } from "./page.js";
import { splitSections } from "./sections.js";
import { parseTokens } from "./tokens.js";
import { visibleText } from "./visible-text.js";

/** Options for {@link parseMarkdown}. */
export interface ParseMarkdownOptions {
  /** Path of the page relative to its root, with forward slashes. It becomes part of every citation. */
  readonly file: string;
  /**
   * Maximum number of characters that are read; the rest is left out from a line break on, and
   * `problems` reports it.
   *
   * @default 20_000_000
   */
  readonly maxLength?: number;
}

/** Splits a Markdown page at its headings.
 *
 * Reads CommonMark with tables, front matter, HTML, admonitions and MDX. Invisible characters are
 * removed. Takes linear time and never throws: `problems` lists what could not be read. Beyond
 * 20,000 lines with text or 5,000 headings the rest of the
 * page is kept as plain text.
 */
export function parseMarkdown(text: string, options: ParseMarkdownOptions): MarkdownPage {
  const { file, maxLength = 20_000_000 } = options;
  const problems: string[] = [];
  let source = text.replace(/\r\n?/g, "\n");
  if (source.includes("\0")) {
    problems.push("The text holds NUL characters; it is not Markdown and was left out.");
    source = "";
  }
  if (source.length > maxLength) {
    const end = source.lastIndexOf("\n", maxLength);
    source = source.slice(0, end > 0 ? end : maxLength);
    problems.push(`The text is longer than ${maxLength} characters; the rest was left out.`);
  }
  const written = visibleText(source).split("\n");
  const { frontMatter, lines, problem } = splitFrontMatter(written);
  if (problem !== undefined) problems.push(problem);
  const parts = read(toStandardMarkdown(lines, file.endsWith(".mdx")), problems);
  const title = findTitle(frontMatter, parts, file);
  return {
    file,
    title,
    frontMatter,
    sections: splitSections(file, title, written, parts, typeof frontMatter.title === "string"),
    problems,
  };
}

/**
 * Limits of parsing, in lines with text and in headings; the rest of a page is kept as plain text.
 */
const maxLines = 20_000;
const maxHeadings = 5_000;
/** Cost of a blank line and of a table cell, relative to a line with text. */
const blankWeight = 0.05;
const cellWeight = 0.4;

function read(lines: readonly string[], problems: string[]): readonly PagePart[] {
  const end = endOfReading(lines);
  if (end < lines.length) {
    problems.push(`From line ${end + 1} on, the page is kept as plain text: it is too long.`);
  }
  try {
    const markdown = end < lines.length ? lines.slice(0, end) : lines;
    return [...readParts(parseTokens(markdown.join("\n"))), ...toPlainParts(lines, end)];
  } catch {
    // A page that the third-party parser cannot read is still one section of plain text.
    problems.push("The Markdown could not be parsed; the page is kept as plain text.");
    return toPlainParts(lines, 0);
  }
}

/** Counts the lines of a page that are within the limits of parsing. */
function endOfReading(lines: readonly string[]): number {
  let cost = 0;
  let headings = 0;
  for (const [at, line] of lines.entries()) {
    cost +=
      line === "" || line.trim() === ""
        ? blankWeight
        : 1 + cellWeight * (line.split("|").length - 1);
    if (/^ {0,3}(?:#{1,6}[ \t]|=+[ \t]*$|-+[ \t]*$)/.test(line)) headings++;
    if (cost > maxLines || headings > maxHeadings) return at;
  }
  return lines.length;
}

/** Maximum length of a block of plain text in characters, unless a line is longer. */
const maxPlainLength = 2_000;

function toPlainParts(lines: readonly string[], from: number): readonly PagePart[] {
  const parts: PagePart[] = [];
  let text: string[] = [];
  let length = 0;
  let startLine = from + 1;
  const close = (endLine: number) => {
    if (text.length === 0) return;
    const block = { kind: "paragraph" as const, text: text.join("\n"), startLine, endLine };
    parts.push({ type: "block", block, links: [], anchors: [] });
    text = [];
    length = 0;
  };
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line.trim() === "") continue;
    if (length + line.length > maxPlainLength) close(at);
    if (text.length === 0) startLine = at + 1;
    text.push(line);
    length += line.length + 1;
  }
  close(lines.length);
  return parts;
}

function findTitle(
  frontMatter: Readonly<Record<string, unknown>>,
  parts: readonly PagePart[],
  file: string,
): string {
  const { title } = frontMatter;
  if (typeof title === "string" && title.trim() !== "") return title.trim();
  const headings = parts.filter((part) => part.type === "heading");
  const first =
    headings.find((part) => part.level === 1) ?? headings.find((part) => part === parts[0]);
  if (first !== undefined && first.text !== "") return first.text;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/\.[^.]*$/, "") || name;
}

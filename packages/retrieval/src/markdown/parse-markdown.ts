import { type PagePart, readParts } from "./blocks.js";
import { toStandardMarkdown } from "./extensions.js";
import { splitFrontMatter } from "./front-matter.js";
import type { MarkdownPage } from "./page.js";
import { headingLine, readPlainParts } from "./plain-parts.js";
import { splitAnchor, splitSections } from "./sections.js";
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
 * 20,000 lines with text or 5,000 headings only headings, the first 50,000, and blocks of code are
 * read, and all else is kept as plain text.
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
  const firstLine = lines.findIndex((line) => line.trim() !== "") + 1;
  const hasTitle = typeof frontMatter.title === "string";
  return {
    file,
    title,
    frontMatter,
    sections: splitSections(file, title, written, parts, hasTitle, firstLine),
    problems,
  };
}

/**
 * Limits of parsing, in lines with text and in headings; of the rest of a page, headings and blocks of code are read, and all
 * else is plain text.
 */
const maxLines = 20_000;
const maxHeadings = 5_000;
const maxPlainHeadings = 50_000;
/** Cost of a blank line and of a table cell, relative to a line with text. */
const blankWeight = 0.05;
const cellWeight = 0.4;

function read(lines: readonly string[], problems: string[]): readonly PagePart[] {
  const end = endOfReading(lines);
  if (end < lines.length) {
    problems.push(
      `From line ${end + 1} on, only headings and code are read, and the rest as plain text: the page is too long.`,
    );
  }
  try {
    const markdown = end < lines.length ? lines.slice(0, end) : lines;
    return [
      ...readParts(parseTokens(markdown.join("\n"))),
      ...readPlainParts(lines, end, maxPlainHeadings),
    ];
  } catch {
    // A page that the third-party parser cannot read is still one section of plain text.
    problems.push("The Markdown could not be parsed; the page is kept as plain text.");
    return readPlainParts(lines, 0, 0);
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
    if (headingLine.test(line)) headings++;
    if (cost > maxLines || headings > maxHeadings) return at;
  }
  return lines.length;
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
  const heading = splitAnchor(first?.text ?? "").heading;
  if (heading !== "") return heading;
  const name = file.slice(file.lastIndexOf("/") + 1);
  return name.replace(/\.[^.]*$/, "") || name;
}

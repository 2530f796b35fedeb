import { partsOf } from "./blocks.js";
import { plainMarkdown } from "./extensions.js";
import { splitFrontMatter } from "./front-matter.js";
import type { MarkdownPage } from "./page.js";
import { sectionsOf } from "./sections.js";
import { tokensOf } from "./tokens.js";

/** Options for {@link parseMarkdown}. */
export interface ParseMarkdownOptions {
  /** Path of the page relative to its root, with forward slashes. It becomes part of every citation. */
  readonly file: string;
  /**
   * Most characters that are read; the rest is left out, at a line break, and named in `problems`.
   *
   * @default 20_000_000
   */
  readonly maxLength?: number;
}

/**
 * Cuts a Markdown page at its headings.
 *
 * Reads CommonMark with tables, front matter, HTML, admonitions and what MDX leaves behind. Takes
 * time in proportion to the text, and never throws: what could not be read stands in `problems`.
 */
export function parseMarkdown(text: string, options: ParseMarkdownOptions): MarkdownPage {
  const { file, maxLength = 20_000_000 } = options;
  const problems: string[] = [];
  let source = text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (source.includes("\0")) {
    problems.push("The text holds NUL characters; it is not Markdown and was left out.");
    source = "";
  }
  if (source.length > maxLength) {
    const end = source.lastIndexOf("\n", maxLength);
    source = source.slice(0, end > 0 ? end : maxLength);
    problems.push(`The text is longer than ${maxLength} characters; the rest was left out.`);
  }
  const written = source.split("\n");
  const { frontMatter, lines, problem } = splitFrontMatter(written);
  if (problem !== undefined) problems.push(problem);
  const parts = read(plainMarkdown(lines, file.endsWith(".mdx")), problems);
  const title = titleOf(frontMatter, parts, file);
  return {
    file,
    title,
    frontMatter,
    sections: sectionsOf(file, title, written, parts, typeof frontMatter.title === "string"),
    problems,
  };
}

function read(lines: readonly string[], problems: string[]): ReturnType<typeof partsOf> {
  try {
    return partsOf(tokensOf(lines.join("\n")));
  } catch {
    // The parser is not ours; a page it cannot read is still one section of plain text.
    problems.push("The Markdown could not be parsed; the page is kept as plain text.");
    return lines.flatMap((line, at) =>
      line.trim() === ""
        ? []
        : [
            {
              type: "block" as const,
              block: { kind: "paragraph" as const, text: line, startLine: at + 1, endLine: at + 1 },
              links: [],
              anchors: [],
            },
          ],
    );
  }
}

function titleOf(
  frontMatter: Readonly<Record<string, unknown>>,
  parts: ReturnType<typeof partsOf>,
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

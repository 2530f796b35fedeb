import type { Token } from "markdown-it";
import { toStandardMarkdown } from "./extensions.js";
import { splitFrontMatter } from "./front-matter.js";
import { htmlPieces } from "./html-pieces.js";
import { htmlText } from "./html-text.js";
import type { Link, Section } from "./page.js";
import { quotableMarkdown } from "./quotable.js";
import { parseTokens } from "./tokens.js";

/** A block of a section as it can be quoted elsewhere: a paragraph, a whole list with all that stands in it, a whole table, code. */
export interface QuotableBlock {
  readonly kind: "paragraph" | "list" | "table" | "code" | "quote";
  /** Markdown as in the page, numbers and nesting included, without HTML, pictures and links within the pages. */
  readonly text: string;
  /** The items of a list, or the rows of a table under its head; else `text` alone. */
  readonly parts: readonly string[];
  /** Of a list: whether its items are numbered. */
  readonly isNumbered: boolean;
  /** Of a quotation: the kind of a GitHub alert, lower case, such as `warning`. */
  readonly alert?: string;
}

/** Maximum number of characters of a section that are read. */
const maxLength = 60_000;

/** Splits a section into the blocks it is written in, in order, without its heading. Never throws. */
export function quotableBlocks(section: Section): readonly QuotableBlock[] {
  const written = section.markdown.slice(0, maxLength).split("\n");
  const { lines } = section.startLine === 1 ? splitFrontMatter(written) : { lines: written };
  const standard = toStandardMarkdown(lines, section.file.endsWith(".mdx"));
  const blocks: QuotableBlock[] = [];
  let from = 0;
  const tokens = parseTokens(standard.join("\n"));
  for (const [at, token] of tokens.entries()) {
    if (token.level > 0 || token.nesting > 0) continue;
    const block = readBlock(tokens.slice(from, at + 1), standard, section.links);
    if (block !== undefined) blocks.push(block);
    from = at + 1;
  }
  return blocks;
}

/** Reads the tokens of one block of the outermost level. */
function readBlock(
  tokens: readonly Token[],
  lines: readonly string[],
  links: readonly Link[],
): QuotableBlock | undefined {
  const [first] = tokens;
  const [start, end] = first?.map ?? [0, 0];
  const block = (kind: QuotableBlock["kind"], parts: readonly string[], isNumbered = false) => {
    const kept = parts.filter((part) => part !== "");
    const separator = kind === "list" && kept.some((part) => part.includes("\n\n")) ? "\n\n" : "\n";
    return kept.length === 0
      ? undefined
      : { kind, text: kept.join(separator), parts: kept, isNumbered };
  };
  switch (first?.type) {
    case "paragraph_open":
      return block("paragraph", [render(tokens, lines, links, start, end)]);
    case "fence": {
      const [mark = "", ...code] = lines.slice(start, end);
      return first.content.trim() === ""
        ? undefined
        : block("code", [[mark, ...withoutBlankEnds(code)].join("\n")]);
    }
    case "code_block":
      return block("code", [withoutBlankEnds(lines.slice(start, end)).join("\n")]);
    case "blockquote_open":
      return readQuote(render(tokens, lines, links, start, end), lines[start] ?? "");
    case "bullet_list_open":
    case "ordered_list_open": {
      const items = tokens.filter(({ type, level }) => type === "list_item_open" && level === 1);
      const parts = items.map(({ map }) =>
        render(tokens, lines, links, map?.[0] ?? 0, map?.[1] ?? 0),
      );
      return block("list", parts, first.type === "ordered_list_open");
    }
    case "table_open": {
      const rows = lines.slice(start, end).map((line) => quotableMarkdown(line.trim(), links));
      const head = rows.slice(0, 2).join("\n");
      const parts = rows.slice(2).map((row, at) => (at === 0 ? `${head}\n${row}` : row));
      return block("table", parts);
    }
    case "html_block": {
      const text = quotableHtml(first.content, links);
      return block(text.startsWith("|") ? "table" : "paragraph", [text]);
    }
    default:
      return undefined;
  }
}

/** Writes lines of the page with their inline markup and HTML made quotable; code stays as it is. */
function render(
  tokens: readonly Token[],
  lines: readonly string[],
  links: readonly Link[],
  from: number,
  to: number,
): string {
  const out: string[] = [];
  let at = from;
  for (const token of tokens) {
    const [start, end] = token.map ?? [0, 0];
    if (start < at || end > to || start >= end) continue;
    const isRow = token.type === "tr_open";
    if (token.type !== "inline" && token.type !== "html_block" && !isRow) continue;
    out.push(...lines.slice(at, start));
    const line = (lines[start] ?? "").trimEnd();
    if (isRow) {
      const [mark = ""] = /^[\s>]*/.exec(line) ?? [];
      out.push(mark + quotableMarkdown(line.slice(mark.length), links));
      at = end;
      continue;
    }
    const body = (token.content.split("\n")[0] ?? "").trimEnd();
    const prefix = line.endsWith(body) ? line.slice(0, line.length - body.length) : "";
    const written =
      token.type === "inline"
        ? quotableMarkdown(token.content, links)
        : quotableHtml(token.content, links);
    const text = prefix.includes(">") ? written.replace(alertMark, formatAlert) : written;
    const hasMark = /[^\s>]/.test(prefix);
    if (text.trim() !== "" || hasMark) {
      const [head = "", ...rest] = text.split("\n");
      const indent = prefix.replaceAll(/[^\s>]/g, " ");
      out.push(prefix + head.trim(), ...rest.map((each) => indent + each.trim()));
    }
    at = end;
  }
  out.push(...lines.slice(at, to));
  const kept = withoutBlankEnds(out, /^[\s>]*$/);
  const text = dedent(kept).join("\n");
  // A list item or quotation of which only the mark is left says nothing.
  return /^[\s>*+-]*$/.test(text.replace(/\d{1,9}[.)]/, "")) ? "" : text;
}

/** The mark of a GitHub alert. */
const alertMark = /^\[!(\w{1,20})\]\s*/;

/** Names the kind of an alert in words that every reader of Markdown sees. */
function formatAlert(_: string, alert: string): string {
  const kind = alert.toLowerCase();
  return `**${(kind[0] ?? "").toUpperCase()}${kind.slice(1).replaceAll("_", " ")}:** `;
}

/** @param line - Its first line as written, which may be the mark of an alert. */
function readQuote(text: string, line: string): QuotableBlock | undefined {
  const alert = /^\s{0,3}>\s?\[!(\w{1,20})\]/.exec(line)?.[1]?.toLowerCase();
  const [, label, body = ""] =
    (alert === undefined ? undefined : /^(> \*\*[^*\n]+\*\*)(?:[>\s]*)([\s\S]*)$/.exec(text)) ?? [];
  if (text === "" || (label !== undefined && body === "")) return undefined;
  const isBlock = /^(?:```|~~~|[-*+|]\s|\d+[.)]\s)/.test(body);
  const shown = label === undefined ? text : `${label}${isBlock ? "\n> " : " "}${body}`;
  return { kind: "quote", text: shown, parts: [shown], isNumbered: false, ...(alert && { alert }) };
}

/** Writes HTML as Markdown: a table as a table, all else as its text. */
function quotableHtml(html: string, links: readonly Link[]): string {
  const rows: string[][] = [];
  let cell: string | undefined;
  let around = "";
  for (const piece of htmlPieces(html)) {
    const name = piece.kind === "tag" ? piece.name.toLowerCase() : "";
    if (name === "tr") {
      if (piece.kind === "tag" && !piece.isClosing) rows.push([]);
    } else if (name === "td" || name === "th") {
      if (cell !== undefined) rows.at(-1)?.push(cell);
      cell = piece.kind === "tag" && !piece.isClosing ? "" : undefined;
    } else if (cell !== undefined) cell += piece.text;
    else if (rows.length === 0) around += piece.text;
  }
  const text = htmlText(rows.length === 0 ? html : around);
  const prose = text
    .split("\n")
    .map((line) => quotableMarkdown(line.trim(), links))
    .filter((line) => line !== "")
    .join("\n");
  const filled = rows.filter((row) => row.length > 0);
  if (filled.length === 0) return prose;
  const width = Math.max(...filled.map((row) => row.length));
  const print = (row: readonly string[]) => {
    const cells = Array.from({ length: width }, (_, at) => htmlText(row[at] ?? ""));
    return `| ${cells.map((each) => each.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").trim()).join(" | ")} |`;
  };
  const [head = [], ...below] = filled;
  const table = [print(head), `|${" - |".repeat(width)}`, ...below.map(print)].join("\n");
  return prose === "" ? table : `${prose}\n\n${table}`;
}

/** Removes the lines at both ends in which nothing is written; `blank` is what such a line holds. */
function withoutBlankEnds(lines: readonly string[], blank = /^\s*$/): readonly string[] {
  const first = lines.findIndex((line) => !blank.test(line));
  const last = lines.findLastIndex((line) => !blank.test(line));
  return first < 0 ? [] : lines.slice(first, last + 1).map((line) => line.trimEnd());
}

/** Removes the indentation of the first line from all lines. */
function dedent(lines: readonly string[]): readonly string[] {
  const indent = /^\s*/.exec(lines[0] ?? "")?.[0].length ?? 0;
  if (indent === 0) return lines;
  return lines.map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)?.[0].length ?? 0)));
}

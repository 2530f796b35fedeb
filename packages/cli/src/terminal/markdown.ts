import { sanitizeText } from "@constellation/authoring";
import MarkdownIt, { type Token } from "markdown-it";
import wrapAnsi from "wrap-ansi";
import { type Paint, unpainted } from "./paint.js";
import { renderTable } from "./table.js";

/** Longer text is printed as it is: parsing it would take too long. */
const maxLength = 200_000;

const parser = new MarkdownIt({ html: false, maxNesting: 20 });

/**
 * Renders untrusted Markdown for a terminal: headings, lists, tables, quotes, code, links with their
 * address. Lines are wrapped between words; code is not.
 *
 * @param cells - Width of the terminal. `Infinity`: lines are not wrapped.
 */
export function renderMarkdown(
  text: string,
  paint: Paint,
  cells = Number.POSITIVE_INFINITY,
): string {
  const clean = sanitizeText(text).replace(/^\n+/, "").trimEnd();
  if (clean.length > maxLength) return clean;
  return renderBlocks(parser.parse(clean, {}), { paint, cells }).join("\n");
}

/** How blocks are drawn. */
interface Style {
  readonly paint: Paint;
  readonly cells: number;
}

/** Lines of blocks that are siblings, with an empty line between those that are not tight. */
function renderBlocks(tokens: readonly Token[], style: Style): readonly string[] {
  const lines: string[] = [];
  for (let start = 0; start < tokens.length; ) {
    const end = findClosingToken(tokens, start);
    const token = tokens[start];
    if (token === undefined) break;
    const isTight = token.hidden || (lines.length > 0 && isListBelowTightText(tokens, start));
    if (lines.length > 0 && !isTight) lines.push("");
    lines.push(...renderBlock(token, tokens.slice(start + 1, end), style));
    start = end + 1;
  }
  return lines;
}

function isListBelowTightText(tokens: readonly Token[], start: number): boolean {
  const isList = tokens[start]?.type.endsWith("_list_open") === true;
  return isList && tokens[start - 1]?.hidden === true;
}

/** Index of the token that closes the block. */
function findClosingToken(tokens: readonly Token[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at++) {
    depth += tokens[at]?.nesting ?? 0;
    if (depth === 0) return at;
  }
  return tokens.length;
}

function renderBlock(token: Token, inner: readonly Token[], style: Style): readonly string[] {
  const { paint, cells } = style;
  switch (token.type) {
    case "heading_open":
      return wrap(paint(["bold", "underline"], renderInline(inner, unpainted)), cells);
    case "paragraph_open":
      return wrap(renderInline(inner, paint), cells);
    case "bullet_list_open":
    case "ordered_list_open":
      return renderList(token, inner, style);
    case "blockquote_open":
      return renderBlocks(inner, { paint, cells: cells - 2 }).map((line) =>
        `${paint("dim", "│")} ${line}`.trimEnd(),
      );
    case "fence":
    case "code_block":
      return codeLines(token.content).map((line) => `  ${paint("yellow", line)}`);
    case "hr":
      return [paint("dim", "─".repeat(Math.min(40, cells)))];
    case "table_open":
      return renderTable(tableCells(inner, paint), paint, cells);
    default:
      return token.content === "" ? [] : wrap(sanitizeText(token.content), cells);
  }
}

function codeLines(content: string): readonly string[] {
  return sanitizeText(content).replace(/\n$/, "").split("\n");
}

function renderList(list: Token, inner: readonly Token[], style: Style): readonly string[] {
  const lines: string[] = [];
  let number = Number(list.attrGet("start") ?? 1);
  let isSpaced = false; // the item before has empty lines, so that one must also end it
  for (let start = 0; start < inner.length; ) {
    const end = findClosingToken(inner, start);
    const isOrdered = list.type === "ordered_list_open";
    const mark = isOrdered ? `${number++}.` : "•";
    const indent = " ".repeat(mark.length + 1);
    const item = inner.slice(start + 1, end);
    const isLoose = item[0]?.type === "paragraph_open" && !item[0].hidden;
    if (lines.length > 0 && (isLoose || isSpaced)) lines.push("");
    const body = renderBlocks(item, { ...style, cells: style.cells - indent.length });
    const shownMark = isOrdered ? mark : style.paint("cyan", mark);
    lines.push(`${shownMark} ${body[0] ?? ""}`.trimEnd());
    lines.push(...body.slice(1).map((line) => (line === "" ? "" : indent + line)));
    isSpaced = body.includes("");
    start = end + 1;
  }
  return lines;
}

/** Rows of cells, the head first. */
function tableCells(tokens: readonly Token[], paint: Paint): readonly (readonly string[])[] {
  const rows: string[][] = [];
  for (const token of tokens) {
    if (token.type === "tr_open") rows.push([]);
    if (token.type === "inline") rows.at(-1)?.push(renderInline([token], paint));
  }
  return rows;
}

/** Text of one paragraph: line breaks within it are spaces, as in every other renderer. */
function renderInline(tokens: readonly Token[], paint: Paint): string {
  const children = tokens.flatMap(({ children: inline }) => inline ?? []);
  let shown = "";
  for (let at = 0; at < children.length; at++) {
    const token = children[at];
    if (token === undefined) break;
    const end = token.nesting === 1 ? findClosingToken(children, at) : at;
    const inner = () => renderInline([{ children: children.slice(at + 1, end) } as Token], paint);
    switch (token.type) {
      case "softbreak":
        shown += " ";
        break;
      case "hardbreak":
        shown += "\n";
        break;
      case "code_inline":
        shown += paint("yellow", sanitizeText(token.content));
        break;
      case "strong_open":
        shown += paint("bold", inner());
        break;
      case "em_open":
        shown += paint("italic", inner());
        break;
      case "s_open":
        shown += paint("strikethrough", inner());
        break;
      case "link_open":
        shown += renderLink(inner(), String(token.attrGet("href") ?? ""), paint);
        break;
      case "image":
        shown += renderLink(
          `[image: ${sanitizeText(token.content)}]`,
          String(token.attrGet("src") ?? ""),
          paint,
        );
        break;
      default:
        shown += sanitizeText(token.content);
    }
    at = end;
  }
  return shown;
}

function renderLink(label: string, address: string, paint: Paint): string {
  const url = sanitizeText(address, { singleLine: true });
  const shown = paint("underline", url);
  return label === url || url === "" ? shown || label : `${label} (${shown})`;
}

function wrap(text: string, cells: number): readonly string[] {
  return (Number.isFinite(cells) ? wrapAnsi(text, Math.max(1, cells)) : text).split("\n");
}

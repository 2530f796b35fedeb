import type { Token } from "markdown-it";
import { htmlPieces } from "./html-pieces.js";
import { htmlAnchors, htmlText } from "./html-text.js";
import { inlineText } from "./inline-text.js";
import type { Block, Link } from "./page.js";

/** A heading or block of a page, in the order of the file. Lines count from 1. */
export type PagePart =
  | {
      readonly type: "heading";
      readonly level: number;
      readonly text: string;
      readonly anchors: readonly string[];
      readonly startLine: number;
    }
  | {
      readonly type: "block";
      /** Absent where there are only anchors. */
      readonly block?: Block;
      readonly links: readonly Link[];
      readonly anchors: readonly string[];
    };

/** Splits the flat list of tokens into headings and blocks. */
export function readParts(tokens: readonly Token[]): readonly PagePart[] {
  const parts: PagePart[] = [];
  const open: string[] = [];
  let cells:
    | { texts: string[]; links: Link[]; anchors: string[]; line: number; header: boolean }
    | undefined;
  let headingLevel = 0;
  for (const token of tokens) {
    const [startLine, endLine] = lineRange(token);
    switch (token.type) {
      case "blockquote_open":
      case "list_item_open":
      case "thead_open":
        open.push(token.type);
        break;
      case "blockquote_close":
      case "list_item_close":
      case "thead_close":
        open.pop();
        break;
      case "heading_open":
        headingLevel = Number(token.tag.slice(1));
        break;
      case "tr_open":
        cells = {
          texts: [],
          links: [],
          anchors: [],
          line: startLine,
          header: open.at(-1) === "thead_open",
        };
        break;
      case "tr_close":
        if (cells !== undefined) parts.push(toTableRow(cells));
        cells = undefined;
        break;
      case "inline": {
        const inline = inlineText(token.children, token.content);
        if (cells !== undefined) {
          cells.texts.push(inline.text.replaceAll("\n", " "));
          cells.links.push(...inline.links);
          cells.anchors.push(...inline.anchors);
        } else if (headingLevel > 0 && !open.includes("blockquote_open")) {
          const text = inline.text.replaceAll("\n", " ");
          parts.push({
            type: "heading",
            level: headingLevel,
            text,
            anchors: inline.anchors,
            startLine,
          });
        } else {
          parts.push(
            blockPart(kindIn(open), inline.text, startLine, endLine, inline.links, inline.anchors),
          );
        }
        headingLevel = 0;
        break;
      }
      case "fence":
      case "code_block":
        parts.push(codePart(token, startLine, endLine));
        break;
      case "html_block":
        parts.push(
          blockPart(
            "html",
            foldHtml(token.content),
            startLine,
            endLine,
            [],
            htmlAnchors(token.content),
          ),
        );
        break;
      default:
        break;
    }
  }
  return parts.filter((part) => part.type === "heading" || part.block || part.anchors.length > 0);
}

function lineRange(token: Token): readonly [number, number] {
  const [start = 0, end = start + 1] = token.map ?? [];
  return [start + 1, Math.max(start + 1, end)];
}

function kindIn(open: readonly string[]): Block["kind"] {
  const innermost = open.at(-1);
  if (innermost === "list_item_open") return "list-item";
  return innermost === "blockquote_open" ? "quote" : "paragraph";
}

function blockPart(
  kind: Block["kind"],
  text: string,
  startLine: number,
  endLine: number,
  links: readonly Link[],
  anchors: readonly string[],
): PagePart {
  // The mark of a GitHub alert only selects the style of the quotation.
  const shown = kind === "quote" ? text.replace(/^\[!\w+\]\s*/, "") : text;
  if (shown === "") return { type: "block", links, anchors };
  return { type: "block", block: { kind, text: shown, startLine, endLine }, links, anchors };
}

function codePart(token: Token, startLine: number, endLine: number): PagePart {
  const language = /^[^\s{,:]+/.exec(token.info.trim())?.[0]?.toLowerCase();
  const text = withoutLastLines(token.content);
  if (text.trim() === "") return { type: "block", links: [], anchors: [] };
  const block: Block = { kind: "code", text, startLine, endLine };
  return {
    type: "block",
    block: language === undefined ? block : { ...block, language },
    links: [],
    anchors: [],
  };
}

/** Uses positions, because a regular expression would take quadratic time on many blank lines. */
function withoutLastLines(text: string): string {
  let end = text.length;
  while (text.charCodeAt(end - 1) === 10) end--;
  return text.slice(0, end);
}

function toTableRow(cells: {
  readonly texts: readonly string[];
  readonly links: readonly Link[];
  readonly anchors: readonly string[];
  readonly line: number;
  readonly header: boolean;
}): PagePart {
  const text = cells.texts.join(" | ");
  const { links, anchors, line, header } = cells;
  if (cells.texts.every((cell) => cell === "")) return { type: "block", links, anchors };
  const block: Block = { kind: "table-row", text, startLine: line, endLine: line };
  return { type: "block", block: header ? { ...block, header } : block, links, anchors };
}

/**
 * Whether a fragment is a single HTML heading: the banner of a site, which repeats on every page.
 */
function isBanner(html: string): boolean {
  const [open, , close, ...more] = htmlPieces(html.trim());
  const isHeading = (piece: typeof open) => piece?.kind === "tag" && /^h[1-6]$/i.test(piece.name);
  return more.length === 0 && isHeading(open) && isHeading(close);
}

function foldHtml(html: string): string {
  if (isBanner(html)) return "";
  return htmlText(html)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

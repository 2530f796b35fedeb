import type { Token } from "markdown-it";
import { htmlAnchors, htmlText, tagText } from "./html-text.js";
import type { Link } from "./page.js";

/** The text, links and anchors of inline markup. */
export interface InlineText {
  readonly text: string;
  readonly links: readonly Link[];
  /** Names from `<a name>` inside it. */
  readonly anchors: readonly string[];
}

/** Reads the visible text of inline tokens, on one line unless the source breaks it. */
export function inlineText(
  tokens: readonly Token[] | null | undefined,
  fallback: string,
): InlineText {
  if (tokens === null || tokens === undefined) return { text: fallback, links: [], anchors: [] };
  const links: Link[] = [];
  const anchors: string[] = [];
  const open: { readonly target: string; readonly from: number }[] = [];
  let text = "";
  for (const token of tokens) {
    switch (token.type) {
      case "text":
      case "text_special":
      case "code_inline":
        text += token.content;
        break;
      case "softbreak":
      case "hardbreak":
        text += "\n";
        break;
      case "image":
        text += token.content;
        break;
      case "html_inline":
        anchors.push(...htmlAnchors(token.content));
        text += inlineTag(token.content);
        break;
      case "link_open":
        open.push({ target: String(token.attrGet("href") ?? ""), from: text.length });
        break;
      case "link_close": {
        const link = open.pop();
        if (link !== undefined)
          links.push({ text: text.slice(link.from).trim(), target: link.target });
        break;
      }
      default:
        break;
    }
  }
  return { text: trimLines(text), links, anchors };
}

function inlineTag(content: string): string {
  const name = /^<\/?([A-Za-z][\w.-]*)/.exec(content)?.[1];
  return name === undefined ? htmlText(content) : tagText(content, name);
}

/**
 * Removes white space around line breaks, line by line, because a regular expression would take
 * quadratic time on long runs of spaces.
 */
function trimLines(text: string): string {
  if (!text.includes("\n")) return text.trim();
  return text
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

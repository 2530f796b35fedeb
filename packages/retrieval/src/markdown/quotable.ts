import type { Token } from "markdown-it";
import { tagText } from "./html-text.js";
import type { Link } from "./page.js";
import { parseInlineTokens, parseTokens } from "./tokens.js";

/**
 * Makes a paragraph, list item, quotation or table row of a page quotable elsewhere: removes HTML,
 * images and comments, and all links except those to web or mail addresses, whose text stays.
 * Emphasis and code stay as written.
 *
 * @param markdown - Inline markup, as it is in the page.
 * @param links - Links of its section, of which some are defined elsewhere on the page.
 */
export function quotableMarkdown(markdown: string, links: readonly Link[] = []): string {
  const tokens = parseInlineTokens(markdown, links);
  if (tokens === undefined) return escapeMarkup(markdown);
  let text = "";
  let prose = "";
  let skipped: string | undefined;
  const open: (string | undefined)[] = [];
  for (const token of tokens) {
    if (token.type === "text" && skipped === undefined) {
      prose += token.content;
      continue;
    }
    text += quotableProse(prose);
    prose = "";
    if (token.type === "html_inline") {
      const { name, isClosing } = parseTag(token.content);
      if (skipped !== undefined) {
        if (isClosing && name.toLowerCase() === skipped) skipped = undefined;
      } else if (!isClosing && /^(?:script|style)$/i.test(name)) skipped = name.toLowerCase();
      else if (name !== "") text += escapeMarkup(tagText(token.content, name));
    } else if (skipped === undefined) text += written(token, open);
  }
  // A link to a definition that is not on the page, with code in its text.
  return (text + quotableProse(prose)).replace(
    /\[((?:[^[\]`]{0,100}`[^`\n]{1,200}`){1,5}[^[\]`]{0,100})\]\[[^[\]]{0,60}\]/g,
    "$1",
  );
}

/** Text without the targets of links and pictures that are defined elsewhere on the page, and without tags. */
function quotableProse(text: string): string {
  return text
    .replace(/!\[[^[\]]{0,200}\](?:\[[^[\]]{0,60}\])?/g, "")
    .replace(/\[([^[\]]{1,200})\]\[[^[\]]{0,60}\]/g, "$1")
    .replace(/<(?=[a-z/!?])/gi, "\\<");
}

/** Whether Markdown has no HTML, no pictures, and no links but to web and mail addresses and other pages. */
export function isPlainMarkdown(markdown: string): boolean {
  const isPlain = (token: Token): boolean => {
    if (token.type === "html_block" || token.type === "html_inline" || token.type === "image") {
      return false;
    }
    const target = token.type === "link_open" ? String(token.attrGet("href") ?? "") : "";
    if (/^[\s\p{Cc}]*[a-z][a-z\d+.-]*:/iu.test(target) && !isWebAddress(target)) return false;
    return (token.children ?? []).every(isPlain);
  };
  return parseTokens(markdown).every(isPlain);
}

/** Writes a token as Markdown; `open` holds the targets of the open links. */
function written(token: Token, open: (string | undefined)[]): string {
  switch (token.type) {
    case "text_special":
      // An entity is what it names, unless that were markup.
      return /^[^\s<>&*_`[\]|~]+$/.test(token.content) && token.markup.startsWith("&")
        ? token.content
        : token.content.trim() === ""
          ? " "
          : token.markup;
    case "code_inline": {
      const pad = /^`|`$/.test(token.content) ? " " : "";
      return `${token.markup}${pad}${token.content}${pad}${token.markup}`;
    }
    case "softbreak":
    case "hardbreak":
      return "\n";
    case "link_open": {
      const target = String(token.attrGet("href") ?? "");
      const isShown = isWebAddress(target);
      open.push(isShown ? (token.info === "auto" ? "" : target) : undefined);
      if (!isShown) return "";
      return token.info === "auto" ? "<" : "[";
    }
    case "link_close": {
      const target = open.pop();
      if (target === undefined) return "";
      return target === "" ? ">" : `](${target})`;
    }
    case "image":
      return "";
    default:
      return token.markup;
  }
}

/** Whether a target leads to a web or mail address, spelled without tricks. */
function isWebAddress(target: string): boolean {
  return /^(?:https?:\/\/|mailto:)[\w\-.~:/?#@!$&'*+,;=%]+$/i.test(target);
}

function parseTag(tag: string): { readonly name: string; readonly isClosing: boolean } {
  const isClosing = tag.startsWith("</");
  const name = /^[A-Za-z][\w.-]*/.exec(tag.slice(isClosing ? 2 : 1, 70))?.[0] ?? "";
  return { name, isClosing };
}

/** Escapes a text whose markup cannot be parsed. */
function escapeMarkup(text: string): string {
  return text.replace(/[<![\]]/g, "\\$&");
}

import { element } from "./element.js";
import MarkdownIt from "./markdown-it.js";
import { visibleText } from "./visible-text.js";

/** @typedef {import("markdown-it").Token} Token */

/** Longer text is cut: parsing it would hold the page up. */
const maxLength = 100_000;

const parser = new MarkdownIt({ html: false, maxNesting: 20 });

/** Elements that tokens of the parser become. Everything else is shown as text. */
const tags = /** @type {const} */ ({
  paragraph_open: "p",
  bullet_list_open: "ul",
  list_item_open: "li",
  blockquote_open: "blockquote",
  table_open: "table",
  thead_open: "thead",
  tbody_open: "tbody",
  tr_open: "tr",
  th_open: "th",
  td_open: "td",
  strong_open: "strong",
  em_open: "em",
  s_open: "s",
});

/**
 * Shows untrusted Markdown. Makes elements from the parser's tokens, never markup; links lead to the
 * web only, and images become links: nothing is loaded.
 *
 * @param {string} text
 * @param {number} [top] Level of its highest headings, 1 to 6.
 * @returns {DocumentFragment}
 */
export function markdownOf(text, top = 3) {
  const tokens = parser.parse(text.slice(0, maxLength), {});
  const levels = tokens.flatMap(({ type, tag }) =>
    type === "heading_open" ? [Number(tag.slice(1))] : [],
  );
  return shown(tokens, top - Math.min(...levels));
}

/**
 * @param {readonly Token[]} tokens
 * @param {number} lower Added to the levels of headings.
 * @returns {DocumentFragment}
 */
function shown(tokens, lower) {
  const root = document.createDocumentFragment();
  /** @type {(DocumentFragment | HTMLElement)[]} */
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.nesting === -1) {
      if (open.length > 1) open.pop();
    } else if (token.nesting === 1) {
      // The text of a tight list is in its item itself.
      const made = token.hidden ? parent : opened(token, lower);
      if (made !== parent) parent.append(made);
      open.push(made);
    } else parent.append(leaf(token));
  }
  return root;
}

/**
 * @param {Token} token
 * @param {number} lower
 */
function opened(token, lower) {
  const { type, tag } = token;
  if (type === "heading_open") {
    const level = Math.min(6, Number(tag.slice(1)) + lower); // the page itself has the levels above
    return element(/** @type {"h3" | "h4" | "h5" | "h6"} */ (`h${level}`));
  }
  if (type === "ordered_list_open") return element("ol", { start: token.attrGet("start") ?? 1 });
  if (type === "link_open") return link(String(token.attrGet("href")));
  if (type === "table_open") return element("table", { tabindex: 0 });
  return element(type in tags ? tags[/** @type {keyof typeof tags} */ (type)] : "span");
}

/**
 * @param {Token} token
 * @returns {Node}
 */
function leaf(token) {
  const { type, content, children } = token;
  switch (type) {
    case "inline":
      return shown(children ?? [], 0);
    case "fence":
    case "code_block":
      return element("pre", { tabindex: 0 }, content.replace(/\n$/, ""));
    case "code_inline":
      return element("code", {}, content);
    case "hr":
      return element("hr");
    case "hardbreak":
      return element("br");
    case "softbreak":
      return document.createTextNode(" ");
    case "image": {
      const shownAs = link(String(token.attrGet("src")));
      shownAs.append(visibleText(`[image: ${content}]`));
      return shownAs;
    }
    default:
      return document.createTextNode(visibleText(content));
  }
}

/** @param {string} address */
function link(address) {
  return isWebAddress(address)
    ? element("a", { href: address, rel: "noopener noreferrer nofollow", target: "_blank" })
    : element("span", { title: address });
}

/**
 * An answer may hold any address; only the web can be opened from here.
 *
 * @param {string | undefined} url
 * @returns {url is string}
 */
export function isWebAddress(url) {
  return url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

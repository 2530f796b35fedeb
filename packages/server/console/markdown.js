import { element } from "./element.js";

/**
 * Shows Markdown: headings, paragraphs, lists, code, bold. Whatever else there is stays as it was
 * written. Makes no link and loads nothing: an answer is untrusted.
 *
 * @param {string} text
 * @returns {DocumentFragment}
 */
export function markdownOf(text) {
  const shown = document.createDocumentFragment();
  const lines = text.slice(0, 200_000).split("\n");
  /** @type {HTMLElement | undefined} */
  let block;
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    const fence = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
    if (fence !== undefined) {
      const end = lines.findIndex((each, at) => at > index && each.trim().startsWith(fence));
      const last = end === -1 ? lines.length : end;
      shown.append(element("pre", { tabindex: 0 }, lines.slice(index + 1, last).join("\n")));
      index = last;
      block = undefined;
    } else if (heading !== null) {
      const [, marks = "", words = ""] = heading;
      const level = /** @type {"h3" | "h4" | "h5"} */ (`h${Math.min(5, marks.length + 2)}`);
      shown.append(element(level, {}, inlineOf(words)));
      block = undefined;
    } else if (item !== null) {
      const [, indent = "", mark = "", words = ""] = item;
      const tag = /\d/.test(mark) ? "ol" : "ul";
      if (block?.localName !== tag) {
        block = element(tag, tag === "ol" ? { start: mark.slice(0, -1) } : {});
        shown.append(block);
      }
      block.append(element("li", indent.length > 1 ? { class: "deep" } : {}, inlineOf(words)));
    } else if (/^\s*\|.*\|\s*$/.test(line)) {
      if (block?.localName !== "pre") {
        block = element("pre", { tabindex: 0 });
        shown.append(block);
      }
      block.append(block.hasChildNodes() ? `\n${line}` : line);
    } else if (line.trim() === "") {
      block = undefined;
    } else if (block?.localName === "p") {
      block.append("\n", inlineOf(line));
    } else if (block?.lastElementChild?.localName === "li" && /^\s/.test(line)) {
      block.lastElementChild.append(" ", inlineOf(line.trim()));
    } else {
      block = element("p", {}, inlineOf(line));
      shown.append(block);
    }
  }
  return shown;
}

/** @param {string} text */
function inlineOf(text) {
  const shown = document.createDocumentFragment();
  let rest = 0;
  for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*/g)) {
    const [whole, code, bold] = match;
    shown.append(text.slice(rest, match.index));
    shown.append(
      code !== undefined ? element("code", {}, code) : element("strong", {}, bold ?? ""),
    );
    rest = match.index + whole.length;
  }
  shown.append(text.slice(rest));
  return shown;
}

import { type CodeSpans, findCodeSpans } from "./code-spans.js";
import { sanitizeText } from "./sanitize-text.js";

/** A link or image whose text and address have nothing unusual in them: its text, then its address. */
const linkText = /(?<!\\)(!?)\[([^[\]\n\\`~<>|]{0,500})\]\(/g;
const linkAddress =
  /[ \t]{0,8}<?([^\s()<>[\]\\`~|]{0,2000})>?(?:[ \t]{1,8}["'][^"'\n()[\]\\`~|]{0,500}["'])?[ \t]{0,8}\)/y;

/** What follows a backslash, and what would open a tag, an image, a link or the definition of one. */
const active = /\\[\s\S]|<(?=[a-z/!?])|!\[|\](?=[(:])/gi;

/** The first line of a fenced code block. */
const fenceStart = /^( {0,3})(`{3,}|~{3,})/;

/** One that may also be a row of a table, or end with the list or quotation it is in. */
const unclearFence = /^[ \t>*+\d.)-]*(?=`{3,}[^`]*$|~{3})/;

/** What a line has that is code, HTML, an image or a link. */
const marked = /[`~<[\]]/;

const noCode: CodeSpans = { spans: [], hasOpen: true };

interface Fence {
  readonly indent: number;
  readonly run: string;
}

/**
 * Reduces untrusted Markdown to text. Removes what {@link sanitizeText} removes, HTML and images, and shows
 * links as text with a visible address, so that nothing is loaded and no address hides behind words. Code
 * stays unchanged if every Markdown parser treats it as code. Idempotent, in time linear in the text.
 */
export function sanitizeMarkdown(text: string): string {
  const lines: string[] = [];
  let fence: Fence | undefined;
  let hasOpenSpan = false; // of an earlier line of the same paragraph
  for (const line of sanitizeText(text).trim().split("\n")) {
    if (fence !== undefined) {
      const place = placeIn(fence, line);
      lines.push(place === "code" ? line : closingFence(fence));
      if (place === "code") continue;
      fence = undefined;
      if (place === "end") continue;
    }
    if (!marked.test(line)) {
      if (hasOpenSpan && line.trim() === "") hasOpenSpan = false;
      lines.push(line);
      continue;
    }
    fence = parseFence(line);
    if (fence !== undefined) {
      lines.push(escapeActive(line));
      hasOpenSpan = false;
      continue;
    }
    const prose = line.replace(unclearFence, "$&\\"); // then no parser recognises it
    const { spans, hasOpen }: CodeSpans = hasOpenSpan ? noCode : findCodeSpans(prose);
    hasOpenSpan ||= hasOpen;
    lines.push(sanitizeAround(prose, spans));
  }
  if (fence !== undefined) lines.push(closingFence(fence)); // or it would continue in the next lines
  return lines.join("\n").trim();
}

/**
 * The same for a single line, such as a name, a message or a title.
 *
 * @param maxLength - Maximum number of characters that are read; a longer line ends in `…`.
 */
export function sanitizeMarkdownLine(text: string, maxLength: number): string {
  const line = sanitizeText(text.slice(0, 4 * maxLength), { singleLine: true, maxLength });
  const { spans, hasOpen } = findCodeSpans(line);
  return hasOpen ? sanitizeProse(line) : sanitizeAround(line, spans);
}

/**
 * The beginning of Markdown as {@link sanitizeMarkdown} gives it, with a mark that there was more.
 *
 * @param maxLength - Maximum number of characters, 1 or more, the mark included.
 */
export function cutMarkdown(text: string, maxLength: number): string {
  let end = maxLength - 1;
  for (;;) {
    // Cleaned again after each cut, because a cut may reopen a construct.
    const cut = sanitizeMarkdown(`${text.slice(0, end).trimEnd()}…`);
    if (cut.length <= maxLength) return cut;
    end = Math.max(0, end - (cut.length - maxLength));
  }
}

/** A fence that every parser recognises. */
function parseFence(line: string): Fence | undefined {
  const [begin = "", { length: indent } = "", run] = fenceStart.exec(line) ?? [];
  if (run === undefined) return undefined;
  const info = line.slice(begin.length);
  const isUnclear = info.includes("|") || (run.startsWith("`") && info.includes("`"));
  return isUnclear ? undefined : { indent, run };
}

function closingFence({ indent, run }: Fence): string {
  return " ".repeat(indent) + run;
}

/**
 * The position of a line relative to a fence. An indented fence may belong to a list, and a line with less
 * indentation may end both: it then counts as `outside`, even where some parsers disagree.
 */
function placeIn({ indent, run }: Fence, line: string): "code" | "end" | "outside" {
  if (line.trim() === "") return "code";
  const lineIndent = line.length - line.replace(/^ +/, "").length;
  if (lineIndent < indent) return "outside";
  const marks = line.trim();
  const isEnd = marks.startsWith(run) && marks.replaceAll(marks.charAt(0), "") === "";
  return isEnd && (lineIndent <= 3 || indent > 0) ? "end" : "code";
}

/** Prose between the code of a line. */
function sanitizeAround(line: string, spans: CodeSpans["spans"]): string {
  // A table splits its cells before it looks for code.
  if (spans.some(([start, end]) => line.slice(start, end).includes("|")))
    return sanitizeProse(line);
  let clean = "";
  let from = 0;
  for (const [start, end] of spans) {
    clean += sanitizeProse(line.slice(from, start)) + line.slice(start, end);
    from = end;
  }
  return clean + sanitizeProse(line.slice(from));
}

function sanitizeProse(text: string): string {
  if (!/[<[\]]/.test(text)) return text;
  return escapeActive(linksAsText(text));
}

function linksAsText(text: string): string {
  if (!text.includes("](")) return text;
  let plain = "";
  let from = 0;
  for (const { 0: begin, 1: mark, 2: words = "", index } of text.matchAll(linkText)) {
    linkAddress.lastIndex = index + begin.length;
    const [, url] = linkAddress.exec(text) ?? [];
    if (url === undefined) continue;
    plain += text.slice(from, index);
    plain += linkAsText(words.trim() || (mark === "!" ? "image" : "link"), url);
    from = linkAddress.lastIndex;
  }
  return plain + text.slice(from);
}

/** A link as text. An address that is not one of the web is left out. */
function linkAsText(words: string, url: string): string {
  return /^(?:https?:\/\/|mailto:)/i.test(url) && url !== words ? `${words} (${url})` : words;
}

function escapeActive(prose: string): string {
  return prose.replace(active, (found) => {
    if (found.startsWith("\\")) return found;
    return found === "![" ? "!\\[" : `\\${found}`;
  });
}

import { htmlPieces } from "./html-pieces.js";

/** Elements whose tags are markup; of others without attributes, such as `<namespace>`, the tag itself is text. */
const elements = new Set(
  (
    "a abbr address article aside audio b big blockquote body br button caption center cite code col " +
    "colgroup dd del details dfn div dl dt em fieldset figcaption figure font footer form h1 h2 h3 " +
    "h4 h5 h6 head header hr html i iframe img input ins kbd label legend li link main mark meta nav " +
    "noscript object ol option p param picture pre q s samp script section select small source span " +
    "strike strong style sub summary sup svg table tbody td template textarea tfoot th thead time tr " +
    "track tt u ul var video wbr path g"
  ).split(" "),
);

/** Elements whose content is not shown to readers. */
const unread = new Set(["script", "style"]);
const wordBreaks = new Set(
  "br p div td th tr li h1 h2 h3 h4 h5 h6 dt dd summary details".split(" "),
);

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  mdash: "—",
  ndash: "–",
  hellip: "…",
  larr: "←",
  rarr: "→",
};

/** The text of an HTML fragment: no tags, comments, scripts or styles; a line break stays one. */
export function htmlText(html: string): string {
  let text = "";
  let skipped: string | undefined;
  for (const piece of htmlPieces(html)) {
    const name = piece.kind === "tag" ? piece.name.toLowerCase() : "";
    if (skipped !== undefined) {
      if (piece.kind === "tag" && piece.isClosing && name === skipped) skipped = undefined;
    } else if (piece.kind === "text") text += decodeEntities(withoutExpressions(piece.text));
    else if (piece.kind === "comment") text += piece.text.replace(/[^\n]+/g, "");
    else if (unread.has(name) && !piece.isClosing) {
      skipped = name;
      text += " ";
    } else text += tagText(piece.text, piece.name);
  }
  return text;
}

/** Removes the expressions of templates, such as Vue's `{{ count }}`, whose values are not on the page. */
function withoutExpressions(text: string): string {
  return text.replace(/\{\{[^{}]{0,200}\}\}/g, "");
}

/** The text of one tag: nothing, a space between words, or the tag itself. */
export function tagText(tag: string, name: string): string {
  const isComponent = /^[A-Z]/.test(name) && !/^[A-Z][A-Z_-]+$/.test(name);
  const isCustomEnd = tag.startsWith("</") && name.includes("-");
  const isMarkup =
    isComponent || isCustomEnd || elements.has(name.toLowerCase()) || attribute.test(tag);
  if (!isMarkup) return decodeEntities(tag);
  return wordBreaks.has(name.toLowerCase()) ? " " : "";
}

/** An attribute with a value: placeholders such as `<namespace>` have none. */
const attribute = /\s[\w:@.-]{1,60}=["']/;

/** Longest tag whose attributes are read. */
const maxTagLength = 2_000;

/** Collects the anchors in a fragment: `<a name>` and every `id`. */
export function htmlAnchors(html: string): readonly string[] {
  return htmlPieces(html).flatMap((piece) => {
    if (piece.kind !== "tag" || piece.isClosing || piece.text.length > maxTagLength) return [];
    const anchor = /\s(?:id|name)\s{0,5}=\s{0,5}["']([^"'<>\s]{1,200})["']/i.exec(piece.text)?.[1];
    return anchor === undefined ? [] : [anchor];
  });
}

function decodeEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|[a-z]{2,8});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
      ? String.fromCodePoint(code)
      : "";
  });
}

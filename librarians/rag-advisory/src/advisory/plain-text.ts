/**
 * Text of a source as plain text, a paragraph or a list item on each line: no markup, no HTML, no
 * tables, no control characters, blanks in single file. What it says is left alone.
 */
export function toPlainText(source: string): string {
  return withoutLinks(withoutComments(source.normalize("NFC")))
    .replaceAll(/^(?:[ \t]*[|#>].*|[ \t]*[-=|:]{3,}[ \t]*)$/gm, "\n")
    .replaceAll(/^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+/gm, "\n")
    .split(/\n[ \t\r]*\n/)
    .map(toPlainLine)
    .filter((paragraph) => paragraph !== "")
    .join("\n");
}

/** A name on one line, at most 200 characters, without links and brackets that could make one. */
export function toPlainName(name: string): string {
  const bare = withoutLinks(name.slice(0, maxNameRead)).replaceAll(/[[\]]/g, "");
  return toPlainLine(bare).slice(0, 200);
}

/** Characters of a name that are read. */
const maxNameRead = 2_000;

/** Text on one line: no marks of Markdown or HTML, nothing invisible, nothing that turns the direction of writing. */
export function toPlainLine(text: string): string {
  return text
    .replaceAll(/[<>`*_~\\]|[\p{Cf}\p{Co}]/gu, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim();
}

/** Text as it may be shown: its words and line feeds, without links and invisible characters. */
export function shownText(text: string): string {
  return withoutLinks(text)
    .replaceAll(/[\p{Cf}\p{Co}]/gu, "")
    .replaceAll(/(?!\n)[\s\p{Cc}]/gu, " ");
}

/** Takes out HTML comments; one that is not closed ends with the text. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (;;) {
    const open = text.indexOf("<!--", from);
    if (open < 0) break;
    kept.push(text.slice(from, open));
    const close = text.indexOf("-->", open + 4);
    if (close < 0) return kept.join(" ");
    from = close + 3;
  }
  kept.push(text.slice(from));
  return kept.join(" ");
}

/** Links and images, also inside each other, as the words they show: where they lead is not what a source says. */
function withoutLinks(text: string): string {
  const inner = text.replaceAll(link, "$1");
  return inner.replaceAll(link, "$1").replaceAll("](", "] (");
}

const link = /!?\[([^[\]\n]{0,300})\]\([^[)\n]{0,2000}\)/g;

const personal =
  /(?<![\w.+-])[\w.+-]+@[\w-]{1,64}\.[\w.-]{2,64}|\+\d[\d\s()-]{7,18}\d|(?<!\d|\d[,.])\d{5}[\s-]?\d{5}(?!\d|[,.]\d)|(?<!\d)\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?!\d)|(?<!\d|\d[,.])0\d{2,4}[\s-]\d{3,4}[\s-]?\d{3,4}(?!\d)/g;

/** Whether a text has an e-mail address or a telephone number. */
export function hasPersonalData(text: string): boolean {
  return text.search(personal) >= 0;
}

/** A text without its e-mail addresses and telephone numbers. */
export function withoutPersonalData(text: string): string {
  return text.replaceAll(personal, "[removed]");
}

/**
 * Text of a source as plain text, a paragraph or a list item on each line: no markup, no HTML, no
 * tables, no control characters, blanks in single file. What it says is left alone.
 */
export function plainText(source: string): string {
  return source
    .normalize("NFC")
    .replaceAll(/<!--[\s\S]*?-->/g, " ")
    .replaceAll(/!?\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/g, "$1")
    .replaceAll(/^(?:[ \t]*[|#>].*|[ \t]*[-=|:]{3,}[ \t]*)$/gm, "\n")
    .replaceAll(/^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+/gm, "\n")
    .split(/\n[ \t\r]*\n/)
    .map((paragraph) =>
      paragraph
        .replaceAll(/[<>`*_~\\]|[\p{Cf}\p{Co}]/gu, "")
        .replaceAll(/[\s\p{Cc}]+/gu, " ")
        .trim(),
    )
    .filter((paragraph) => paragraph !== "")
    .join("\n");
}

/** A name on one line, at most 200 characters. */
export function plainName(name: string): string {
  return name
    .replaceAll(/[<>`*_~\\]|[\p{Cf}\p{Co}]/gu, "")
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200);
}

const personal =
  /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{2,64}|\+\d[\d\s()-]{7,18}\d|(?<!\d|\d[,.])\d{5}[\s-]?\d{5}(?!\d|[,.]\d)|(?<!\d)\(?\d{3}\)?[\s.-]\d{3}[\s.-]\d{4}(?!\d)|(?<!\d|\d[,.])0\d{2,4}[\s-]\d{3,4}[\s-]?\d{3,4}(?!\d)/g;

/** Whether a text has an e-mail address or a telephone number. */
export function hasPersonalData(text: string): boolean {
  return text.search(personal) >= 0;
}

/** A text without its e-mail addresses and telephone numbers. */
export function withoutPersonalData(text: string): string {
  return text.replaceAll(personal, "[removed]");
}

/** A piece of an HTML fragment, in order. */
export type HtmlPiece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "comment"; readonly text: string }
  | {
      readonly kind: "tag";
      /** As written, angle brackets included. */
      readonly text: string;
      /** As written: `div`, `Tabs`. */
      readonly name: string;
      readonly isClosing: boolean;
    };

/**
 * Splits an HTML fragment into tags, comments and text, in one pass and in linear time. A `<` that
 * does not begin a tag is text; an unclosed comment extends to the end.
 */
export function htmlPieces(html: string): readonly HtmlPiece[] {
  const pieces: HtmlPiece[] = [];
  let from = 0;
  const text = (end: number) => {
    if (end > from) pieces.push({ kind: "text", text: html.slice(from, end) });
  };
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at)) {
    if (html.startsWith("<!--", at)) {
      text(at);
      const close = html.indexOf("-->", at + 4);
      from = close < 0 ? html.length : close + 3;
      pieces.push({ kind: "comment", text: html.slice(at, from) });
      at = from;
      continue;
    }
    const end = tagEnd(html, at);
    if (end === undefined) {
      at++;
      continue;
    }
    text(at);
    const isClosing = html[at + 1] === "/";
    const tag = html.slice(at, end);
    pieces.push({
      kind: "tag",
      text: tag,
      name: nameAt(html, at + (isClosing ? 2 : 1)),
      isClosing,
    });
    from = end;
    at = end;
  }
  text(html.length);
  return pieces;
}

/** Finds the offset after the `>` of the tag that begins here; `undefined` when no tag does. */
function tagEnd(html: string, at: number): number | undefined {
  const nameFrom = html[at + 1] === "/" ? at + 2 : at + 1;
  const name = nameAt(html, nameFrom);
  if (name === "") return undefined;
  const after = nameFrom + name.length;
  if (!/^[\s/>]$/.test(html[after] ?? "")) return undefined;
  for (let end = after; end < html.length; end++) {
    const code = html.charCodeAt(end);
    if (code === 60) return undefined; // another `<`: the next one is tried instead
    if (code === 62) return end + 1;
  }
  return undefined;
}

/** Longest name of a tag that is read. */
const maxNameLength = 64;

function nameAt(html: string, from: number): string {
  return /^[A-Za-z][\w.-]*/.exec(html.slice(from, from + maxNameLength))?.[0] ?? "";
}

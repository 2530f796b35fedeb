/** Text as a reader sees it, with the way back to what was written. */
export interface ReadableText {
  readonly text: string;
  /** Place in what was written of each character of `text`, and of its end. */
  readonly places: readonly number[];
}

/**
 * Undoes what hides words from a pattern: full-width letters and ligatures, invisible characters,
 * curly quotes, Markdown emphasis and runs of blanks.
 */
export function readableText(written: string): ReadableText {
  let text = "";
  const places: number[] = [];
  for (let at = 0; at < written.length; ) {
    const character = String.fromCodePoint(written.codePointAt(at) ?? 0);
    const shown = shownAs(character);
    const isRepeatedBlank = shown === " " && (text === "" || text.endsWith(" "));
    if (!isRepeatedBlank) {
      for (let unit = 0; unit < shown.length; unit++) places.push(at);
      text += shown;
    }
    at += character.length;
  }
  places.push(written.length);
  return { text, places };
}

function shownAs(character: string): string {
  if (/[\p{Cf}\p{Mn}*_~`]/u.test(character)) return "";
  if (/[\s\p{Zs}]/u.test(character)) return " ";
  if (/[‘’ʼ]/.test(character)) return "'";
  if (/[“”]/.test(character)) return '"';
  return (
    character
      .normalize("NFKC")
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "") || character
  );
}

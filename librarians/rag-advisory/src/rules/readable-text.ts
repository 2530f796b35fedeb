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
  const pieces: string[] = [];
  const places: number[] = [];
  let isAfterBlank = true;
  for (let at = 0; at < written.length; ) {
    const character = String.fromCodePoint(written.codePointAt(at) ?? 0);
    const shown = shownAs(character);
    const isRepeatedBlank = shown === " " && isAfterBlank;
    if (shown !== "" && !isRepeatedBlank) {
      for (let unit = 0; unit < shown.length; unit++) places.push(at);
      pieces.push(shown);
      isAfterBlank = shown === " ";
    }
    at += character.length;
  }
  places.push(written.length);
  return { text: pieces.join(""), places };
}

function shownAs(character: string): string {
  if (/[a-z0-9,.]/i.test(character)) return character;
  if (/[\p{Cf}\p{Mn}*_~`]/u.test(character)) return "";
  if (/[\s\p{Zs}]/u.test(character)) return " ";
  if (/[‘’ʼ]/.test(character)) return "'";
  if (/[“”]/.test(character)) return '"';
  if (character < "\u0080") return character;
  return (
    character
      .normalize("NFKC")
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "") || character
  );
}

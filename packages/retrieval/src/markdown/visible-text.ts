/**
 * Characters that a reader does not see and a program does: controls other than tab and line feed,
 * marks that turn the writing direction round, zero-width spaces, tags, and halves of pairs.
 */
const hidden =
  /[^\P{Cc}\t\n]|[\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E007F}]|\p{Cs}/gu;
/** Joiners belong to emoji and to scripts that join letters; beside anything else they hide. */
const strayJoiner =
  /(?<![\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Kannada}\p{Extended_Pictographic}\p{Emoji_Modifier}]|\uFE0F)[\u200C\u200D]|[\u200C\u200D](?![\p{L}\p{M}\p{Extended_Pictographic}])/gu;

/** A text without characters that no one sees. Line numbers stay: other line separators become spaces. */
export function visibleText(text: string): string {
  if (/^[\t\n\r\x20-\x7E]*$/.test(text)) return text;
  return text
    .replace(/[\u2028\u2029\u0085]/g, " ")
    .replace(hidden, "")
    .replace(strayJoiner, "");
}

/** Whether a name shows all that it holds. */
export function isVisibleName(name: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\uFFFD]/u.test(name);
}

/** A name with what cannot be seen written out: `\u{202e}`. */
export function spelledName(name: string): string {
  return name.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ""}}`,
  );
}

/**
 * Cuts a text into pieces that overlap: at the end of a paragraph where there is one in the second
 * half of a piece, else of a sentence, else of a word, else anywhere but inside a character.
 *
 * @param length - Characters (UTF-16 code units) of a piece, at most.
 * @param overlap - Characters of a piece that the next one begins with, at most. Half of `length` or less.
 * @returns Pieces without white space at their ends, none empty.
 */
export function splitText(text: string, length: number, overlap: number): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  while (start < text.length) {
    const end = start + length < text.length ? findEnd(text, start, length, overlap) : text.length;
    const piece = text.slice(start, end).trim();
    if (piece !== "") pieces.push(piece);
    if (end === text.length) break;
    start = startAfter(text, end, overlap);
  }
  return pieces;
}

/** Where a piece ends: further than the overlap, so that the next piece gets on. */
function findEnd(text: string, start: number, length: number, overlap: number): number {
  const from = start + Math.max(Math.floor(length / 2), overlap + 1);
  const window = text.slice(from, start + length);
  const last =
    lastEnd(window, /\n[ \t]*\n/g) ??
    lastEnd(window, /[.!?。।]["'”’)\]]*\s/g) ??
    lastEnd(window, /\s/g);
  if (last !== undefined) return from + last;
  const end = start + length;
  return isInsideCharacter(text, end) ? end - 1 : end;
}

function lastEnd(window: string, end: RegExp): number | undefined {
  let last: number | undefined;
  for (const match of window.matchAll(end)) last = match.index + match[0].length;
  return last;
}

/** Where the next piece begins: at a word where one begins in the overlap. */
function startAfter(text: string, end: number, overlap: number): number {
  const from = end - overlap;
  if (/\s/.test(text.charAt(from - 1))) return from;
  const space = text.slice(from, end).search(/\s/);
  if (space >= 0) return from + space;
  return isInsideCharacter(text, from) ? from + 1 : from;
}

/** Whether a cut here would part a surrogate pair. */
function isInsideCharacter(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}

import { stripVTControlCharacters } from "node:util";

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;

/** Cells that one character takes on a terminal. */
function widthOf(character: string): number {
  if (/\p{M}|\u200d/u.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}

/** Cuts a line so that it takes at most so many cells of a terminal. */
export function cutToWidth(line: string, cells: number): string {
  if (cells <= 0) return "";
  let used = 0;
  let end = 0;
  for (const character of line) {
    used += widthOf(character);
    if (used > cells) return `${line.slice(0, Math.max(0, end - 1))}…`;
    end += character.length;
  }
  return line;
}

/**
 * Breaks a line between words so that its lines take at most so many cells. A word that is longer
 * stays whole, and colours take no cell.
 *
 * @param hanging - Stands before every line but the first.
 */
export function wrapToWidth(line: string, cells: number, hanging = ""): string {
  const [start = ""] = /^\s*/.exec(line) ?? [];
  const parts: string[] = [start];
  let used = cellsOf(start);
  let isBegun = false;
  for (const word of line.slice(start.length).split(" ")) {
    const taken = cellsOf(word);
    if (!isBegun) {
      parts.push(word);
      used += taken;
    } else if (used + 1 + taken > cells) {
      parts.push("\n", hanging, word);
      used = hanging.length + taken;
    } else {
      parts.push(" ", word);
      used += 1 + taken;
    }
    isBegun = true;
  }
  return parts.join("");
}

function cellsOf(text: string): number {
  let cells = 0;
  for (const character of stripVTControlCharacters(text)) cells += widthOf(character);
  return cells;
}

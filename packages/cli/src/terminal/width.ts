import stringWidth from "string-width";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/** Cuts a line of plain text so that it takes at most so many cells of a terminal. */
export function cutToWidth(line: string, cells: number): string {
  if (cells <= 0) return "";
  let used = 0;
  let end = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    used += stringWidth(segment);
    if (used > cells) return `${line.slice(0, end)}…`;
    // Reserves one cell for the ellipsis, in case the rest does not fit.
    if (used < cells) end = index + segment.length;
  }
  return line;
}

/** The end of a line of plain text that takes at most so many cells of a terminal. */
export function lastCells(line: string, cells: number): string {
  if (cells <= 0) return "";
  if (stringWidth(line) <= cells) return line;
  const segments = [...graphemes.segment(line)];
  let used = 1;
  let start = line.length;
  for (const { segment, index } of segments.reverse()) {
    used += stringWidth(segment);
    if (used > cells) break;
    start = index;
  }
  return `…${line.slice(start)}`;
}

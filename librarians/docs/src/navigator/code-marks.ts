/** A piece of a text between code marks: a span, or one line of a fence. */
export interface CodePiece {
  readonly start: number;
  readonly end: number;
}

/**
 * The code of a Markdown text: what is between back quotes, and the lines of fences. A fence
 * that never closes reaches to the end; a back quote without a partner in its paragraph is plain
 * text.
 */
export function codePieces(text: string): readonly CodePiece[] {
  const pieces: CodePiece[] = [];
  let fence: string | undefined;
  let paragraph = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    const end = at + line.length;
    const mark = /^[ \t]{0,20}(`{3,}|~{3,})/.exec(line)?.[1];
    const isBoundary = mark !== undefined && (fence === undefined || mark.startsWith(fence));
    if (isBoundary) {
      if (fence === undefined) addSpans(text, paragraph, at, pieces);
      fence = fence === undefined ? mark : undefined;
    } else if (fence !== undefined) {
      pieces.push({ start: at, end });
    } else if (line.trim() === "") {
      addSpans(text, paragraph, at, pieces);
    }
    if (isBoundary || line.trim() === "") paragraph = end;
    at = end + 1;
  }
  if (fence === undefined) addSpans(text, paragraph, text.length, pieces);
  return pieces;
}

function addSpans(text: string, from: number, to: number, pieces: CodePiece[]): void {
  const runs = [...text.slice(from, to).matchAll(/`+/g)];
  // The next run of the same length closes a span; the last place of each length is kept, so that
  // many runs without a partner do not make this slow.
  const waiting = new Map<number, number[]>();
  for (const [order, [run]] of runs.entries()) {
    const same = waiting.get(run.length);
    if (same === undefined) waiting.set(run.length, [order]);
    else same.push(order);
  }
  const next = new Map<number, number>();
  for (let order = 0; order < runs.length; order++) {
    const run = runs[order];
    if (run === undefined) continue;
    const length = run[0].length;
    const same = waiting.get(length) ?? [];
    let position = next.get(length) ?? 0;
    while ((same[position] ?? Infinity) <= order) position++;
    next.set(length, position);
    const closing = same[position];
    const partner = closing === undefined ? undefined : runs[closing];
    if (closing === undefined || partner === undefined) continue;
    pieces.push({ start: from + run.index + length, end: from + partner.index });
    order = closing;
  }
}

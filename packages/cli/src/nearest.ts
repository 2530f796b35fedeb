/** The known word most similar to a wrong one, if any is similar. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 100) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(word.length * 0.4)) + 1;
  for (const each of known) {
    if (Math.abs(each.length - word.length) >= least) continue;
    const edits = editsBetween(word.toLowerCase(), each.toLowerCase());
    if (edits < least) [best, least] = [each, edits];
  }
  return best;
}

/** " Did you mean "x"?", or nothing. */
export function didYouMean(word: string, known: readonly string[]): string {
  const one = nearest(word, known);
  return one === undefined ? "" : ` Did you mean "${one}"?`;
}

/** Letters to insert, delete, replace or swap with their neighbour. */
function editsBetween(one: string, other: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row++) {
    const current = [row];
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1];
      const swapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, current];
  }
  return last[other.length] ?? 0;
}

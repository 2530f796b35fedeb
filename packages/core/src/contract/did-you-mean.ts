/** Maximum number of characters of a name that is compared. */
const maxNameLength = 100;

/**
 * Suggests the known name that is most similar to a wrong one, as a sentence to append to an error.
 *
 * @returns ` Did you mean "x"?`, or `""` when none is similar: edits (insertions, deletions, replacements and swaps of
 *   neighbours) for at most 40 % of the characters, or one. Names longer than 100 characters get no suggestion.
 *
 * @beta
 */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : ` Did you mean "${nearest}"?`;
}

/**
 * The known name most similar to a wrong one, if any is similar; of equals, the first.
 *
 * @beta
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > maxNameLength) return undefined;
  let nearest: string | undefined;
  let least = Math.max(1, Math.floor(name.length * 0.4)) + 1; // one more than is allowed
  for (const each of known) {
    if (Math.abs(each.length - name.length) >= least) continue;
    const edits = editDistance(name.toLowerCase(), each.toLowerCase());
    if (edits < least) [nearest, least] = [each, edits];
  }
  return nearest;
}

/**
 * Counts the edits from one text to another: the distance of optimal string alignment.
 *
 * Source: G. Navarro, "A guided tour to approximate string matching", ACM Computing Surveys 33(1), 2001.
 */
function editDistance(from: string, to: string): number {
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1];
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(
        Math.min(
          (last[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (last[j - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [beforeLast, last] = [last, row];
  }
  return last[to.length] ?? 0;
}

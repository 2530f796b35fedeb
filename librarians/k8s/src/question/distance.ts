/**
 * How many letters must be changed, added, dropped or swapped with their neighbour to turn one word into another.
 *
 * @returns `maxDistance + 1` as soon as it exceeds `maxDistance`.
 */
export function distance(a: string, b: string, maxDistance: number): number {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let minCost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        minCost = Math.min(minCost, (before[j - 2] ?? 0) + 1);
      next.push(minCost);
    }
    if (Math.min(...next) > maxDistance) return maxDistance + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? maxDistance + 1;
}

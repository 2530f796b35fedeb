/**
 * How many letters must be changed, added, dropped or swapped with their neighbour to turn one word into another.
 *
 * @returns `maxDistance + 1` as soon as it exceeds `maxDistance`.
 */
export function editDistance(a: string, b: string, maxDistance: number): number {
  if (Math.abs(a.length - b.length) > maxDistance) return maxDistance + 1;
  if (a === b) return 0;
  // Letters on both ends that agree cost nothing.
  let first = 0;
  while (first < a.length && a[first] === b[first]) first++;
  let tail = 0;
  while (tail < Math.min(a.length, b.length) - first && a.at(-1 - tail) === b.at(-1 - tail)) tail++;
  if (first > 0 || tail > 0) {
    return editDistance(
      a.slice(first, a.length - tail),
      b.slice(first, b.length - tail),
      maxDistance,
    );
  }
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      next.push(cost);
      least = Math.min(least, cost);
    }
    if (least > maxDistance) return maxDistance + 1;
    before = row;
    row = next;
  }
  return row[b.length] ?? maxDistance + 1;
}

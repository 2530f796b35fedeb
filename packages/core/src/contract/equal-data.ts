/** Maximum number of pairs of values that are compared. */
const maxPairs = 10_000;

/**
 * Compares plain data: primitives, arrays, objects, dates, maps and sets.
 *
 * Its time is bounded: values that share parts are compared once per pair, and more than 10,000
 * pairs count as different, as does whatever throws while it is read, or is of another kind and not
 * the same object.
 */
export function isEqualData(a: unknown, b: unknown): boolean {
  try {
    return compare(a, b);
  } catch {
    return false;
  }
}

/** Without recursion: data may be deep. */
function compare(first: unknown, second: unknown): boolean {
  const open: [unknown, unknown][] = [[first, second]];
  const comparedWith = new Map<object, Set<object>>();
  let pairs = 0;
  const push = (a: unknown, b: unknown): boolean => {
    if (++pairs > maxPairs) return false;
    open.push([a, b]);
    return true;
  };
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [a, b] = pair;
    if (Object.is(a, b)) continue;
    if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
    const known = comparedWith.get(a);
    if (known?.has(b)) continue; // compared before, or above this pair
    if (known === undefined) comparedWith.set(a, new Set([b]));
    else known.add(b);
    if (!pushParts(a, b, push)) return false;
  }
  return true;
}

/** @returns Whether the two may be equal: as far as their parts, which were pushed, are. */
function pushParts(a: object, b: object, push: (a: unknown, b: unknown) => boolean): boolean {
  const prototype: unknown = Object.getPrototypeOf(a);
  if (prototype !== Object.getPrototypeOf(b)) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((each, at) => push(each, b[at]));
  }
  if (a instanceof Date) return b instanceof Date && Object.is(a.getTime(), b.getTime());
  if (a instanceof Map) {
    if (!(b instanceof Map) || a.size !== b.size) return false;
    for (const [key, value] of a) if (!b.has(key) || !push(value, b.get(key))) return false;
    return true;
  }
  if (a instanceof Set) {
    if (!(b instanceof Set) || a.size !== b.size) return false;
    for (const each of a) if (!b.has(each) || !push(0, 0)) return false;
    return true;
  }
  if (prototype !== Object.prototype && prototype !== null) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return keys.every((key) => Object.hasOwn(right, key) && push(left[key], right[key]));
}

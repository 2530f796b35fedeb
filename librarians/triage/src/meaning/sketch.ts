import type { Delegate } from "@constellation/core";
import type { DelegateVectors } from "./delegate-vectors.js";

/**
 * Sign bits of all vectors: finds candidates for the nearest texts in a fraction of the time of an
 * exact comparison.
 */
export interface Sketch {
  /**
   * Places of the delegates that have the texts with the most equal signs, for a query and its parts. Those of a
   * part are among the 4,000 texts that are nearest to the query.
   *
   * @param vectors - Of the query, then of its parts.
   * @param limit - Maximum number of texts for each.
   */
  nearest(
    vectors: readonly [ArrayLike<number>, ...ArrayLike<number>[]],
    limit: number,
  ): readonly Iterable<number>[];
}

/** Number of 32-bit words by which all texts are compared first. */
const headWords = 4;
/** Maximum number of texts that are compared by all their sign bits. */
const maxWhole = 4_000;

/** Sketches the vectors of delegates. */
export function createSketch(
  delegates: readonly Delegate[],
  vectorsOf: (delegate: Delegate) => DelegateVectors | undefined,
  dimensions: number,
): Sketch {
  const words = Math.max(headWords, Math.ceil(dimensions / 32));
  const counts = delegates.map((each) => (vectorsOf(each)?.length ?? 0) / dimensions);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const bits = new Int32Array(total * words);
  const heads = new Int32Array(total * headWords); // apart: few enough bytes to stay in the cache
  const owners = new Uint32Array(total);
  let row = 0;
  delegates.forEach((delegate, place) => {
    const own = vectorsOf(delegate);
    if (own === undefined) return;
    const signs = getSignBits(own, dimensions, words);
    bits.set(signs, row * words);
    for (let start = 0; start < signs.length; start += words) {
      heads.set(signs.subarray(start, start + headWords), row * headWords);
      owners[row++] = place;
    }
  });
  const distances = new Uint16Array(total);
  const kept = new Uint32Array(Math.min(total, maxWhole));

  const toSignBits = (vector: ArrayLike<number>) => {
    const signs = new Int32Array(words);
    setSignBits(vector, signs, 0);
    return signs;
  };

  return {
    nearest(vectors, limit) {
      fillDistances(heads, toSignBits(vectors[0]), distances);
      const count = keepLeast(distances, total, headWords * 32, kept);
      const whole = new Uint16Array(count);
      return vectors.map((vector) => {
        const wanted = toSignBits(vector);
        for (let at = 0; at < count; at++) {
          const start = (kept[at] ?? 0) * words;
          let distance = 0;
          for (let word = 0; word < words; word++) {
            distance += onesIn((bits[start + word] ?? 0) ^ (wanted[word] ?? 0));
          }
          whole[at] = distance;
        }
        const nearest = new Uint32Array(Math.min(count, limit));
        const found = keepLeast(whole, count, words * 32, nearest);
        const places = new Set<number>();
        for (let at = 0; at < found; at++) places.add(owners[kept[nearest[at] ?? 0] ?? 0] ?? 0);
        return places;
      });
    },
  };
}

/** Counts the differing sign bits among the first ones of each row. */
function fillDistances(heads: Int32Array, wanted: Int32Array, distances: Uint16Array): void {
  const [first = 0, second = 0, third = 0, fourth = 0] = wanted;
  for (let row = 0, at = 0; row < distances.length; row++, at += headWords) {
    // As in `onesIn`; sums of two are kept in four bits, and of four in eight, before the last step.
    const one =
      (inNibbles((heads[at] ?? 0) ^ first) + inNibbles((heads[at + 1] ?? 0) ^ second)) | 0;
    const other =
      (inNibbles((heads[at + 2] ?? 0) ^ third) + inNibbles((heads[at + 3] ?? 0) ^ fourth)) | 0;
    const sum =
      (one & 0x0f0f0f0f) +
      ((one >>> 4) & 0x0f0f0f0f) +
      (other & 0x0f0f0f0f) +
      ((other >>> 4) & 0x0f0f0f0f);
    distances[row] = Math.imul(sum, 0x01010101) >>> 24;
  }
}

/** Finds the places of the smallest of the first `count` numbers of 0 to `largest`, as many as `places` has room for: of
 * equal ones the first.
 *
 * @returns How many were put into `places`.
 */
function keepLeast(
  numbers: Uint16Array,
  count: number,
  largest: number,
  places: Uint32Array,
): number {
  const maxPlaces = Math.min(count, places.length);
  const histogram = new Uint32Array(largest + 1);
  for (let at = 0; at < count; at++) {
    const number = numbers[at] ?? 0;
    histogram[number] = (histogram[number] ?? 0) + 1;
  }
  let within = 0;
  let below = 0; // how many are less than `within`
  while (within < largest && below + (histogram[within] ?? 0) < maxPlaces) {
    below += histogram[within++] ?? 0;
  }
  let equal = maxPlaces - below;
  let kept = 0;
  for (let at = 0; at < count && kept < maxPlaces; at++) {
    const number = numbers[at] ?? 0;
    if (number > within || (number === within && equal-- <= 0)) continue;
    places[kept++] = at;
  }
  return kept;
}

/** Sign bits by vectors, kept as long as these: another list of librarians shares most of them. */
const knownSigns = new WeakMap<DelegateVectors, Int32Array>();

function getSignBits(own: DelegateVectors, dimensions: number, words: number): Int32Array {
  const known = knownSigns.get(own);
  if (known !== undefined) return known;
  const signs = new Int32Array((own.length / dimensions) * words);
  for (let at = 0; at * dimensions < own.length; at++) {
    setSignBits(own.subarray(at * dimensions, (at + 1) * dimensions), signs, at * words);
  }
  knownSigns.set(own, signs);
  return signs;
}

function setSignBits(vector: ArrayLike<number>, bits: Int32Array, start: number): void {
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] ?? 0) > 0)
      bits[start + (at >>> 5)] = (bits[start + (at >>> 5)] ?? 0) | (1 << (at & 31));
  }
}

/** Number of ones in 32 bits. Source: H. Warren, "Hacker's Delight", 2nd edition, figure 5-2. */
function onesIn(bits: number): number {
  const x = inNibbles(bits);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Number of ones in each four bits. */
function inNibbles(bits: number): number {
  const x = bits - ((bits >>> 1) & 0x55555555);
  return (x & 0x33333333) + ((x >>> 2) & 0x33333333);
}

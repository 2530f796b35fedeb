import type { Delegate } from "@constellation/core";
import type { DelegateVectors } from "./delegate-vectors.js";

/** Signs of all vectors, one bit each: finds who may be near in a fraction of a comparison's time. */
export interface Sketch {
  /** Places of the delegates that have the texts with the most equal signs. */
  nearest(vector: ArrayLike<number>, limit: number): Iterable<number>;
}

/** Sketches the vectors of delegates. */
export function createSketch(
  delegates: readonly Delegate[],
  vectorsOf: (delegate: Delegate) => DelegateVectors | undefined,
  dimensions: number,
): Sketch {
  const words = Math.ceil(dimensions / 32);
  const counts = delegates.map((each) => (vectorsOf(each)?.length ?? 0) / dimensions);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const bits = new Int32Array(total * words);
  const owners = new Uint32Array(total);
  let row = 0;
  delegates.forEach((delegate, place) => {
    const own = vectorsOf(delegate);
    for (let from = 0; own !== undefined && from < own.length; from += dimensions) {
      owners[row] = place;
      signsOf(own.subarray(from, from + dimensions), bits, row++ * words);
    }
  });
  const distances = new Uint16Array(total);

  return {
    nearest(vector, limit) {
      const wanted = new Int32Array(words);
      signsOf(vector, wanted, 0);
      const histogram = new Uint32Array(dimensions + 1);
      for (let at = 0; at < total; at++) {
        let distance = 0;
        for (let word = 0; word < words; word++) {
          distance += onesIn((bits[at * words + word] ?? 0) ^ (wanted[word] ?? 0));
        }
        distances[at] = distance;
        histogram[distance] = (histogram[distance] ?? 0) + 1;
      }
      let within = 0;
      for (let rows = 0; within < dimensions; within++) {
        rows += histogram[within] ?? 0;
        if (rows >= limit) break;
      }
      const places = new Set<number>();
      for (let at = 0; at < total; at++) {
        if ((distances[at] ?? 0) <= within) places.add(owners[at] ?? 0);
      }
      return places;
    },
  };
}

function signsOf(vector: ArrayLike<number>, bits: Int32Array, start: number): void {
  for (let at = 0; at < vector.length; at++) {
    if ((vector[at] ?? 0) > 0)
      bits[start + (at >>> 5)] = (bits[start + (at >>> 5)] ?? 0) | (1 << (at & 31));
  }
}

/** Number of ones in 32 bits. Source: H. Warren, "Hacker's Delight", 2nd edition, figure 5-2. */
function onesIn(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

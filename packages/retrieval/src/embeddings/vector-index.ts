/** A vector's id and its cosine to the one that was asked for, -1 to 1. */
export interface Neighbour {
  readonly id: string;
  readonly cosine: number;
}

/** Unit vectors that can be searched by direction, one by one: enough to 100,000 of them. */
export interface VectorIndex {
  readonly size: number;
  readonly dimensions: number;
  has(id: string): boolean;
  /** Adds a unit vector, in place of an older one. */
  set(id: string, vector: Float32Array): void;
  remove(id: string): boolean;
  ids(): readonly string[];
  get(id: string): Float32Array | undefined;
  /** The nearest, best first; equal ones in the order of their ids. */
  nearest(
    vector: Float32Array,
    limit: number,
    isWanted?: (id: string) => boolean,
  ): readonly Neighbour[];
}

/** Creates an empty index for vectors of one length. */
export function createVectorIndex(dimensions: number): VectorIndex {
  let rows = new Float32Array(0);
  const places = new Map<string, number>();
  const ids: string[] = [];

  const rowAt = (place: number) => rows.subarray(place * dimensions, (place + 1) * dimensions);

  return {
    dimensions,
    get size() {
      return ids.length;
    },
    has: (id) => places.has(id),
    ids: () => [...ids],
    get(id) {
      const place = places.get(id);
      return place === undefined ? undefined : rowAt(place);
    },
    set(id, vector) {
      if (vector.length !== dimensions) {
        throw new RangeError(`vector: expected ${dimensions} numbers, got ${vector.length}`);
      }
      const place = places.get(id) ?? ids.push(id) - 1;
      places.set(id, place);
      if ((place + 1) * dimensions > rows.length) {
        const larger = new Float32Array(Math.max(16, 2 * (place + 1)) * dimensions);
        larger.set(rows);
        rows = larger;
      }
      rows.set(vector, place * dimensions);
    },
    remove(id) {
      const place = places.get(id);
      if (place === undefined) return false;
      const last = ids.pop();
      places.delete(id);
      // The last one moves into the gap.
      if (last !== undefined && last !== id) {
        rows.copyWithin(place * dimensions, ids.length * dimensions, (ids.length + 1) * dimensions);
        ids[place] = last;
        places.set(last, place);
      }
      return true;
    },
    nearest(vector, limit, isWanted) {
      const found: Neighbour[] = [];
      ids.forEach((id, place) => {
        if (isWanted !== undefined && !isWanted(id)) return;
        let cosine = 0;
        const from = place * dimensions;
        for (let at = 0; at < dimensions; at++)
          cosine += (rows[from + at] ?? 0) * (vector[at] ?? 0);
        found.push({ id, cosine });
      });
      return found.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1)).slice(0, limit);
    },
  };
}

/** A vector's id and its cosine to the query vector, -1 to 1. */
export interface Neighbour {
  readonly id: string;
  readonly cosine: number;
}

/** Similarity of all vectors to one. */
export interface Comparison {
  /** The nearest, best first; equal ones in the order of their ids. */
  readonly nearest: readonly Neighbour[];
  /**
   * Standard score of a vector's cosine among all; 0 for an unknown id, and when all are equally
   * near.
   */
  standing(id: string): number;
  /** A vector's cosine, -1 to 1; 0 for an unknown id. */
  cosine(id: string): number;
}

/** Unit vectors with an exhaustive search by cosine, which suffices for up to 100,000. */
export interface VectorIndex {
  readonly size: number;
  readonly dimensions: number;
  has(id: string): boolean;
  /** Adds a unit vector, replacing an older one of the same id. */
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
  /** Compares all vectors with one, and lists the `limit` nearest that pass the filter. */
  compare(vector: Float32Array, limit: number, isWanted?: (id: string) => boolean): Comparison;
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
    nearest: (vector, limit, isWanted) => selectNearest(cosinesTo(vector), limit, isWanted),
    compare(vector, limit, isWanted) {
      const cosines = cosinesTo(vector);
      let sum = 0;
      let squares = 0;
      for (const cosine of cosines) {
        sum += cosine;
        squares += cosine * cosine;
      }
      const mean = sum / Math.max(1, cosines.length);
      const deviation = Math.sqrt(Math.max(0, squares / Math.max(1, cosines.length) - mean * mean));
      return {
        nearest: selectNearest(cosines, limit, isWanted),
        standing(id) {
          const place = places.get(id);
          if (place === undefined || deviation < 1e-6) return 0;
          return ((cosines[place] ?? mean) - mean) / deviation;
        },
        cosine: (id) => cosines[places.get(id) ?? -1] ?? 0,
      };
    },
  };

  function cosinesTo(vector: Float32Array): Float32Array {
    const cosines = new Float32Array(ids.length);
    for (let place = 0; place < cosines.length; place++) {
      const from = place * dimensions;
      let cosine = 0;
      for (let at = 0; at < dimensions; at++) cosine += (rows[from + at] ?? 0) * (vector[at] ?? 0);
      cosines[place] = cosine;
    }
    return cosines;
  }

  function selectNearest(
    cosines: Float32Array,
    limit: number,
    isWanted: ((id: string) => boolean) | undefined,
  ): readonly Neighbour[] {
    const found: Neighbour[] = [];
    cosines.forEach((cosine, place) => {
      const id = ids[place] ?? "";
      if (isWanted === undefined || isWanted(id)) found.push({ id, cosine });
    });
    return found.sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1)).slice(0, limit);
  }
}

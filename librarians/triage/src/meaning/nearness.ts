/** How near the delegates of an index are to a text in meaning. */
export interface Nearness {
  /** Places of the delegates that may be nearest, in no particular order. */
  readonly places: Iterable<number>;
  /** `undefined` for a delegate without vectors. */
  of(place: number): DelegateNearness | undefined;
  /** The vector of the text. */
  readonly vector: Float32Array;
}

/** Cosines of a text and what is written about a delegate. */
export interface DelegateNearness {
  /** Of its description. */
  readonly described: number;
  /** Of its nearest example, and a little of the next one; of the description where it has none. */
  readonly exemplified: number;
}

/** Share of the nearest example in the nearness of all. */
const nearestShare = 0.75;

/** The nearness of a delegate, by the cosines of its description and of its examples. */
export function nearestOf(described: number, examples: readonly number[]): DelegateNearness {
  let [nearest, next] = [-1, -1];
  for (const one of examples) {
    if (one > nearest) [nearest, next] = [one, nearest];
    else if (one > next) next = one;
  }
  if (examples.length === 0) return { described, exemplified: described };
  if (examples.length === 1) next = nearest;
  return { described, exemplified: nearestShare * nearest + (1 - nearestShare) * next };
}

/** How near the delegates of an index are to a text in meaning. */
export interface Nearness {
  /** Places of the delegates that may be nearest, in no particular order. */
  readonly places: Iterable<number>;
  /** `undefined` for a delegate without vectors. */
  of(place: number): number | undefined;
  /** The vector of the text. */
  readonly vector: Float32Array;
}

/** The nearness of a delegate: the mean of the cosines of its description and of its nearest example. */
export function nearestOf(described: number, examples: readonly number[]): number {
  return examples.length === 0 ? described : (described + Math.max(...examples)) / 2;
}

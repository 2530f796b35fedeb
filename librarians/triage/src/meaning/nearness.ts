/** How near the delegates of an index are to a text in meaning. */
export interface Nearness {
  /** Places of the delegates that may be nearest, in no particular order. */
  readonly places: Iterable<number>;
  /** Cosine of the text and the nearest text of a delegate. `undefined` for a delegate without vectors. */
  of(place: number): number | undefined;
  /** The vector of the text. */
  readonly vector: Float32Array;
}

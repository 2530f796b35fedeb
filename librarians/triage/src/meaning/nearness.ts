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
  /** Of its nearest example; of the description where it has none. */
  readonly exemplified: number;
}

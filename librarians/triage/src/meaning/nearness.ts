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
  /** Of the nearest text: its description, or one of its examples. */
  readonly nearest: number;
  /** Of the description and the nearest example together; of the description where there are no examples. */
  readonly together: number;
}

/** How near the delegates of an index are to a text in meaning, beside subjects that are meant for no delegate. */
export interface Nearness {
  /** Places of those who may be the nearest, in no order. */
  readonly places: Iterable<number>;
  /** From -3 to 1: above 0, nearer than those subjects. `undefined` for a delegate without vectors. */
  of(place: number): number | undefined;
}

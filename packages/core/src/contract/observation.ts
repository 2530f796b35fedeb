/**
 * Who observed data of a run, as the router recorded it. Only the router can make data observed: a copy
 * of observed data is not.
 */
export type Observation = LibrarianObservation | CallerObservation;

/** A librarian that this run called returned the data in the `metadata` of its response. */
export interface LibrarianObservation {
  readonly by: "librarian";
  /** Its id. */
  readonly librarian: string;
  /** What it was registered with; empty where it declares none. */
  readonly capabilities: readonly string[];
  /** Epoch milliseconds at which the router took the response. */
  readonly at: number;
}

/** The caller of the run handed the data in, and the application vouches for it: `observed: true`. */
export interface CallerObservation {
  readonly by: "caller";
  /** Epoch milliseconds at which the run began. */
  readonly at: number;
}

/** One thing on a status page. */
export interface Component {
  readonly name: string;
  readonly status: "operational" | "degraded" | "down";
  /** What its owners say about it. Text from outside. */
  readonly note?: string | undefined;
}

/** All that the librarian needs of a status page. */
export interface StatusPage {
  /** Where a person can look, without user, password and query. */
  readonly url: string;
  /** Reads the current state of the page. Must stop when `signal` aborts. */
  read(signal?: AbortSignal): Promise<readonly Component[]>;
}

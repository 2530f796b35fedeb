/** A question of a thread, and its outcome. */
export interface ThreadTurn {
  readonly runId: string;
  /** As the user asked it. */
  readonly query: string;
  /** The completed question that the librarians were asked, where it differs: for a follow-up. */
  readonly asked?: string | undefined;
  /** Absent where there is no answer yet, or an error. May be cut. */
  readonly answer?: string | undefined;
  /** Ids of the librarians that answered, in the order they did. */
  readonly librarians: readonly string[];
  /** Epoch milliseconds at which it was asked. */
  readonly at: number;
}

/** The thread of a run, as its librarians read it. */
export interface Thread {
  readonly id: string;
  /** The questions before this one, oldest first: the last ones, within the budget of the journal. */
  readonly turns: readonly ThreadTurn[];
}

/** A thread at the start of a run. Plain data. */
export interface RunThread extends Thread {
  /** The completed question, where it differs from the query. */
  readonly asked?: string | undefined;
}

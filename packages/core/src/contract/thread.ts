/** A question of a thread, and its outcome. */
export interface ThreadTurn {
  readonly runId: string;
  /** As the user asked it. */
  readonly query: string;
  /** As the librarians were asked it, where that differs: a follow-up made whole. */
  readonly asked?: string | undefined;
  /** Absent where it has none, or is not answered yet. May be cut. */
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

/** A thread as a run begins in it. Plain data. */
export interface RunThread extends Thread {
  /** What the librarians are asked, where that is not the query. */
  readonly asked?: string | undefined;
}

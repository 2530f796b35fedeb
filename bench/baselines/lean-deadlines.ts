/** Time for one hop, in milliseconds. */
const timeoutMs = 30_000;

/** What has a deadline: its place among the others is in itself. */
export interface Timed {
  due: number;
  earlier: Timed | undefined;
  later: Timed | undefined;
  isTimed: boolean;
  stop(reason: unknown): void;
}

/** Deadlines of one length: the order of adding is the order in which they pass. */
export class Deadlines {
  #first: Timed | undefined;
  #last: Timed | undefined;
  #timer: NodeJS.Timeout | undefined;
  #routes = 0;

  /** Counts routes: the timer keeps the process alive only while there is one. */
  routes(change: 1 | -1): void {
    this.#routes += change;
    if (this.#routes === 0) this.#timer?.unref();
    else if (this.#routes === 1 && change === 1) this.#timer?.ref();
  }

  add(branch: Timed): void {
    branch.due = performance.now() + timeoutMs;
    branch.isTimed = true;
    branch.earlier = this.#last;
    branch.later = undefined;
    if (this.#last === undefined) this.#first = branch;
    else this.#last.later = branch;
    this.#last = branch;
    this.#timer ??= setTimeout(() => this.#pass(), timeoutMs);
  }

  remove(branch: Timed): void {
    if (!branch.isTimed) return;
    branch.isTimed = false;
    if (branch.earlier === undefined) this.#first = branch.later;
    else branch.earlier.later = branch.later;
    if (branch.later === undefined) this.#last = branch.earlier;
    else branch.later.earlier = branch.earlier;
    branch.earlier = undefined;
    branch.later = undefined;
  }

  #pass(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let branch = this.#first; branch !== undefined && branch.due <= now; ) {
      branch.stop(new Error("late"));
      branch = this.#first;
    }
    if (this.#first === undefined || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#pass(), Math.max(1, Math.ceil(this.#first.due - now)));
    if (this.#routes === 0) this.#timer.unref();
  }
}

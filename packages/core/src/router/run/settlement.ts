/** Whether a run has its response, and whether everything it called has stopped. */
export interface Settlement {
  /** The run has its response. */
  readonly isOver: boolean;
  /** Calls that were stopped and have not settled. */
  readonly unsettled: number;
  readonly isSettled: boolean;
  end(): void;
  stopped(): void;
  settledLate(): void;
  /** Resolves those who wait, once it is settled. */
  release(): void;
  /** Resolves when it is settled. */
  settled(): Promise<void>;
}

/** Creates the settlement of a run that has just begun. */
export function createSettlement(): Settlement {
  return new RunSettlement();
}

class RunSettlement implements Settlement {
  isOver = false;
  unsettled = 0;
  #waiting: (() => void)[] | undefined;

  get isSettled(): boolean {
    return this.isOver && this.unsettled === 0;
  }

  end(): void {
    this.isOver = true;
    this.release();
  }

  stopped(): void {
    this.unsettled++;
  }

  settledLate(): void {
    this.unsettled--;
  }

  release(): void {
    if (this.#waiting === undefined || !this.isSettled) return;
    for (const resolve of this.#waiting) resolve();
    this.#waiting = undefined;
  }

  settled(): Promise<void> {
    if (this.isSettled) return Promise.resolve();
    this.#waiting ??= [];
    const waiting = this.#waiting;
    return new Promise((resolve) => {
      waiting.push(resolve);
    });
  }
}

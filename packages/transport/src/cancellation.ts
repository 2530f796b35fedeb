import type { CallCancellation } from "./transport.js";

/** Whether a call was cancelled: what an AbortController reports, at a fraction of its cost. */
export class Cancellation implements CallCancellation {
  readonly #callbacks: (() => void)[] = [];
  #isCancelled = false;

  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Calls back when it is cancelled; at once if it was. */
  onCancel(callback: () => void): void {
    if (this.#isCancelled) callback();
    else this.#callbacks.push(callback);
  }

  cancel(): void {
    if (this.#isCancelled) return;
    this.#isCancelled = true;
    for (const callback of this.#callbacks.splice(0)) callback();
  }
}

import type { Context } from "@constellation/core";

interface Signalling {
  readonly signal: AbortSignal;
}

/** What a librarian reads. Nothing can be set, so nothing has to be frozen. */
export class HopContext implements Context {
  readonly #to: string;
  readonly #depth: number;
  readonly #parent: HopContext | undefined;
  readonly #branch: Signalling | undefined;
  #controller: AbortController | undefined;
  #stoppedBy: unknown;

  constructor(to: string, parent: HopContext | undefined, sharesSignalOf: Signalling | undefined) {
    this.#to = to;
    this.#depth = parent === undefined ? 0 : parent.#depth + 1;
    this.#parent = parent;
    this.#branch = sharesSignalOf;
  }

  get requestId(): string {
    return this.#to;
  }

  get depth(): number {
    return this.#depth;
  }

  get signal(): AbortSignal {
    if (this.#branch !== undefined) return this.#branch.signal;
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#stoppedBy !== undefined) this.#controller.abort(this.#stoppedBy);
    }
    return this.#controller.signal;
  }

  static stop(context: HopContext, reason: unknown): void {
    context.#stoppedBy = reason;
    context.#controller?.abort(reason);
  }

  static isOnPath(last: HopContext | undefined, to: string): boolean {
    for (let each = last; each !== undefined; each = each.#parent) if (each.#to === to) return true;
    return false;
  }
}

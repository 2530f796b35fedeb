import type { Call } from "./call.js";

/** The calls a run waits for. A linked list through the calls: coming and going costs no memory. */
export class LiveCalls {
  #first: Call | undefined;

  get isEmpty(): boolean {
    return this.#first === undefined;
  }

  add(call: Call): void {
    call.next = this.#first;
    if (this.#first !== undefined) this.#first.previous = call;
    this.#first = call;
  }

  /** @param call - One that was added, and not removed since. */
  remove(call: Call): void {
    if (call.previous === undefined) this.#first = call.next;
    else call.previous.next = call.next;
    if (call.next !== undefined) call.next.previous = call.previous;
    call.previous = undefined;
    call.next = undefined;
  }

  /** Those there are now: stopping one may start or end others. */
  all(): readonly Call[] {
    const calls: Call[] = [];
    for (let call = this.#first; call !== undefined; call = call.next) calls.push(call);
    return calls;
  }
}

import type { MeshError } from "../../contract/mesh-error.js";
import type { Waiting } from "../../contract/waiting.js";
import { isBelow } from "./calls.js";
import { runWaits } from "./errors.js";
import { extrasOf } from "./hop.js";
import type { Hop, OpenWaits, RunState, Stoppable } from "./model.js";

/** A wait that a librarian awaits. */
interface OpenWait {
  readonly waiting: Waiting;
  readonly reject: (error: MeshError) => void;
}

/**
 * What the librarians of a run wait for: people and events. A wait stays open while anything else is active in
 * the run. Then every hop that waits, or has asked one that does, ends.
 */
export class RunWaits implements OpenWaits {
  readonly #run: RunState;
  readonly #open = new Map<Hop, OpenWait[]>();
  readonly #ended = new Map<Hop, readonly Waiting[]>();
  #isScheduled = false;

  constructor(run: RunState) {
    this.#run = run;
    run.calls.onChange = () => this.changed();
  }

  add(hop: Hop, waiting: Waiting): Promise<never> {
    const wait = new Promise<never>((_resolve, reject) => {
      const open = this.#open.get(hop) ?? [];
      open.push({ waiting, reject });
      this.#open.set(hop, open);
    });
    wait.catch(() => undefined); // its librarian may have left it
    hop.extras?.slot?.lend();
    this.changed();
    return wait;
  }

  /** What the run waits for once everything else has ended. */
  get pending(): readonly Waiting[] {
    return [...this.#ended.values()].flat();
  }

  withdrawBelow(hop: Hop): void {
    for (const each of this.#ended.keys()) if (isBelow(each, hop)) this.#ended.delete(each);
  }

  /** Something has begun or ended: checks again after the librarians have had their turn. */
  changed(): void {
    if (this.#isScheduled || this.#open.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#endWhenIdle();
    });
  }

  #endWhenIdle(): void {
    for (const hop of this.#open.keys()) if (hop.state !== "pending") this.#open.delete(hop);
    const pending = this.#run.calls.pending();
    const blocked = this.#blocked(pending);
    for (const each of pending) {
      const hop = findHop(each);
      if (hop === undefined || !blocked.has(hop)) return; // it is active, and its end triggers another check
      const busy = this.#run.journal?.untilIdle(hop);
      if (busy !== undefined) {
        void busy.then(() => this.changed());
        return;
      }
    }
    this.#end(blocked);
  }

  /** Those that wait, those that wait for the same work, and those that have asked one of them. */
  #blocked(pending: readonly Stoppable[]): ReadonlyMap<Hop, MeshError> {
    const blocked = new Map<Hop, MeshError>();
    const block = (hop: Hop, error: MeshError): void => {
      for (let each: Hop | undefined = hop; each !== undefined; each = each.parent) {
        if (!blocked.has(each)) blocked.set(each, error);
      }
    };
    for (const [hop, [first]] of this.#open) {
      if (first !== undefined) block(hop, runWaits(first.waiting));
    }
    let before = -1;
    while (blocked.size > before) {
      before = blocked.size;
      for (const { follower } of pending) {
        const leader = follower?.extras?.waitsFor;
        const error = leader === undefined ? undefined : blocked.get(leader);
        if (follower !== undefined && error !== undefined) block(follower, error);
      }
    }
    return blocked;
  }

  #end(blocked: ReadonlyMap<Hop, MeshError>): void {
    const open = [...this.#open];
    this.#open.clear();
    for (const [hop, error] of blocked) if (hop.state === "pending") extrasOf(hop).waiting = error;
    for (const [hop, waits] of open) {
      const error = blocked.get(hop);
      this.#ended.set(
        hop,
        waits.map(({ waiting }) => waiting),
      );
      if (error !== undefined) for (const { reject } of waits) reject(error);
    }
  }
}

function findHop(pending: Stoppable): Hop | undefined {
  return pending.follower ?? ("to" in pending ? (pending as Hop) : undefined); // only a hop has `to`
}

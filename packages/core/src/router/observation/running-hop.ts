import { AsyncLocalStorage, createHook } from "node:async_hooks";
import type { Hop } from "../run/model.js";

// Copies, so that a test that fakes time does not look like a blocked event loop.
const { setInterval, clearInterval } = globalThis;
const clock = performance.now.bind(performance);

const tickMs = 20;
/** Ticks without a watched hop after which no one looks any more. */
const maxIdleTicks = 50;
/** Shortest time for which a librarian counts as blocking the event loop, in milliseconds. */
const minBlockedMs = 200;

/** The hop in whose asynchronous calls code runs: that of a librarian, and of all that it called and awaits. */
const hops = new AsyncLocalStorage<Hop | undefined>();

/** Whose code runs now; `undefined`: that of no watched hop. */
let running: Hop | undefined;
let runningSince = 0;

let watched = 0;
let idleTicks = 0;
let timer: NodeJS.Timeout | undefined;

/** Called by Node.js before each callback and each continuation after an `await`. */
const hook = createHook({
  before() {
    const hop = hops.getStore();
    if (hop !== running) change(hop);
  },
});

/** A hop begins: from now on it is known whose code keeps the event loop from turning. */
export function watchHop(): void {
  watched++;
  if (timer !== undefined) return;
  hook.enable();
  timer = hops.run(undefined, () => setInterval(tick, tickMs).unref());
}

/** The hop is over. */
export function unwatchHop(): void {
  watched--;
}

/** Calls the librarian of a hop: what it does from now on, also after an `await`, is that hop's. */
export function runInHop<Result>(hop: Hop, work: () => Result): Result {
  const before = running;
  change(hop);
  try {
    return hops.run(hop, work);
  } finally {
    change(before);
  }
}

function change(hop: Hop | undefined): void {
  const current = clock();
  const blocked = running;
  const blockedMs = current - runningSince;
  running = hop;
  runningSince = current;
  if (blocked !== undefined && blockedMs >= minBlockedMs) {
    blocked.run.observer?.hopBlocked(blocked, blockedMs);
  }
}

/** The event loop turns: what ran before ends here. */
function tick(): void {
  idleTicks = watched === 0 ? idleTicks + 1 : 0;
  if (idleTicks < maxIdleTicks) return;
  clearInterval(timer);
  timer = undefined;
  idleTicks = 0;
  hook.disable();
  hops.disable(); // following calls costs each promise of the process a little
}

import { AsyncLocalStorage, createHook } from "node:async_hooks";
import type { Hop } from "../run/model.js";

// Copies, so that fake timers of a test do not look like a blocked event loop.
const { setInterval, clearInterval } = globalThis;
const clock = performance.now.bind(performance);

const tickMs = 20;
/** Number of ticks without a watched hop after which watching stops. */
const maxIdleTicks = 50;
/** Minimum time after which a librarian counts as blocking the event loop, in milliseconds. */
const minBlockedMs = 200;

/** The hop that the running code belongs to, also after an `await`. */
const hops = new AsyncLocalStorage<Hop | undefined>();

/** The hop whose code runs now; `undefined`: not one that is watched. */
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

/** A hop begins: from now on code that blocks the event loop is attributed to it. */
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

/** A new turn of the event loop: the code that ran before has ended. */
function tick(): void {
  idleTicks = watched === 0 ? idleTicks + 1 : 0;
  if (idleTicks < maxIdleTicks) return;
  clearInterval(timer);
  timer = undefined;
  idleTicks = 0;
  hook.disable();
  hops.disable(); // tracking calls costs time for each promise of the process
}

// Copies, so that a test that fakes time does not look like a blocked event loop.
const { setInterval, clearInterval } = globalThis;
const clock = performance.now.bind(performance);

const tickMs = 20;
/** Ticks without a watched hop after which the timer goes. */
const maxIdleTicks = 50;

let timer: NodeJS.Timeout | undefined;
let watched = 0;
let idleTicks = 0;
/** When the event loop turned last, or code of a librarian is known to have begun or ended. */
let seenAt = 0;

/** A hop begins: from now on {@link measureBlock} notices what keeps the event loop busy. */
export function watchLoop(): void {
  if (watched === 0) seenAt = clock(); // what ran before it is not its own
  watched++;
  if (timer === undefined) timer = setInterval(tick, tickMs).unref();
}

/** The hop is over. */
export function unwatchLoop(): void {
  watched--;
}

/**
 * Called where code of a librarian has just returned or called us: what kept the event loop from turning until now is
 * taken to be that code, where no other hop was under way.
 *
 * @param own - Number of watched hops that are on its path, itself included.
 * @returns Milliseconds, at most 20 too few; 0 where it may have been the code of another.
 */
export function measureBlock(own: number): number {
  const current = clock();
  const blockedMs = current - seenAt - tickMs; // the loop may have turned until the next tick was due
  seenAt = current;
  return watched === own ? blockedMs : 0;
}

function tick(): void {
  seenAt = clock();
  idleTicks = watched === 0 ? idleTicks + 1 : 0;
  if (idleTicks < maxIdleTicks) return;
  clearInterval(timer);
  timer = undefined;
  idleTicks = 0;
}

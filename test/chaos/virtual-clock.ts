/**
 * Time that passes only when nothing else can happen: timers fire in order, each at its moment, and
 * between two of them every promise callback runs. Far quicker than fake timers that step through
 * the real event loop.
 */
export interface VirtualClock {
  /** Milliseconds since it was installed. */
  now(): number;
  /** Rings timers until `isDone`, or none is left; nothing rings after `untilMs`. */
  run(isDone: () => boolean, untilMs?: number): Promise<void>;
  /** Timers that are set. */
  readonly pending: number;
  uninstall(): void;
}

interface VirtualTimer {
  readonly at: number;
  readonly order: number;
  readonly ring: () => void;
}

/** Replaces setTimeout, clearTimeout, Date.now and performance.now. */
export function installVirtualClock(): VirtualClock {
  const real = {
    setTimeout: globalThis.setTimeout,
    clearTimeout: globalThis.clearTimeout,
    dateNow: Date.now,
    performanceNow: performance.now,
  };
  const epoch = 1_700_000_000_000;
  const timers = new Map<object, VirtualTimer>();
  let current = 0;
  let order = 0;

  const setVirtual = (callback: (...values: unknown[]) => void, ms = 0, ...values: unknown[]) => {
    const handle = { ref: () => handle, unref: () => handle, hasRef: () => true };
    timers.set(handle, {
      at: current + Math.max(1, Number.isFinite(ms) ? ms : 1),
      order: order++,
      ring: () => callback(...values),
    });
    return handle;
  };
  Object.assign(globalThis, {
    setTimeout: setVirtual,
    clearTimeout: (handle: object | undefined) => {
      if (handle !== undefined) timers.delete(handle);
    },
  });
  Date.now = () => epoch + Math.floor(current);
  performance.now = () => current;

  /** Two turns of the real event loop: every promise callback and nextTick has run. */
  async function flush(): Promise<void> {
    for (let turn = 0; turn < 2; turn++) {
      await new Promise<void>((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  function nextTimer(): [object, VirtualTimer] | undefined {
    let first: [object, VirtualTimer] | undefined;
    for (const each of timers) {
      const [, timer] = each;
      const [, top] = first ?? [];
      const isEarlier =
        top === undefined || timer.at < top.at || (timer.at === top.at && timer.order < top.order);
      if (isEarlier) first = each;
    }
    return first;
  }

  return {
    now: () => current,
    async run(isDone, untilMs = Number.POSITIVE_INFINITY) {
      await flush();
      while (!isDone()) {
        const next = nextTimer();
        if (next === undefined || next[1].at > untilMs) return;
        const [handle, timer] = next;
        timers.delete(handle);
        current = Math.max(current, timer.at);
        timer.ring();
        await flush();
      }
    },
    get pending() {
      return timers.size;
    },
    uninstall() {
      Object.assign(globalThis, { setTimeout: real.setTimeout, clearTimeout: real.clearTimeout });
      Date.now = real.dateNow;
      performance.now = real.performanceNow;
    },
  };
}

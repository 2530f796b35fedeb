import { describeThrown } from "./unknown-value.js";

type Listener = ((event: Event) => unknown) | { handleEvent(event: Event): unknown } | null;
type Method = (this: AbortSignal, type: string, listener: Listener, options?: object) => void;

/** The guard that was added for each listener, so that it can be removed again. */
const guards = new WeakMap<object, (event: Event) => void>();

/** Warns once, because a listener that throws once throws each time. */
let hasWarned = false;

/**
 * Makes a signal contain exceptions of its listeners: they become one process warning. On a plain
 * signal, Node.js turns them into an uncaught exception, which ends the process.
 *
 * Contained are listeners added with `addEventListener` or `onabort`. Signals derived from this one
 * with `AbortSignal.any` behave as Node.js defines.
 */
export function guardSignal(signal: AbortSignal): AbortSignal {
  return Object.setPrototypeOf(signal, guardedPrototype) as AbortSignal;
}

const { addEventListener, removeEventListener } = EventTarget.prototype as unknown as {
  readonly addEventListener: Method; // as in Node.js, whose types omit listener objects
  readonly removeEventListener: Method;
};
const onabort = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "onabort");

const guardedPrototype = Object.create(AbortSignal.prototype, {
  addEventListener: {
    value(this: AbortSignal, type: string, listener: Listener, options?: object) {
      addEventListener.call(this, type, findGuard(listener), options);
    },
  },
  removeEventListener: {
    value(this: AbortSignal, type: string, listener: Listener, options?: object) {
      removeEventListener.call(this, type, findGuard(listener), options);
    },
  },
  onabort: {
    get(this: AbortSignal) {
      return onabort?.get?.call(this) as unknown;
    },
    set(this: AbortSignal, listener: Listener) {
      onabort?.set?.call(this, typeof listener === "function" ? findGuard(listener) : listener);
    },
  },
}) as AbortSignal;

/** Adds a listener to `abort` that never throws, and so needs no guard. @returns Removes it. */
export function addSafeListener(signal: AbortSignal, listener: () => void): () => void {
  const options = { once: true };
  if (Object.getPrototypeOf(signal) !== guardedPrototype) {
    signal.addEventListener("abort", listener, options);
    return () => signal.removeEventListener("abort", listener);
  }
  addEventListener.call(signal, "abort", listener, options);
  return () => removeEventListener.call(signal, "abort", listener);
}

function findGuard(listener: Listener): Listener {
  if (listener === null || (typeof listener !== "function" && typeof listener !== "object")) {
    return listener; // Node.js throws the error
  }
  let guard = guards.get(listener);
  if (guard === undefined) {
    guard = function guarded(this: unknown, event) {
      try {
        const returned: unknown =
          typeof listener === "function" ? listener.call(this, event) : listener.handleEvent(event);
        if (returned !== undefined) Promise.resolve(returned).catch(warn);
      } catch (thrown) {
        warn(thrown);
      }
    };
    guards.set(listener, guard);
  }
  return guard;
}

function warn(thrown: unknown): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(`An abort listener threw an error (${describeThrown(thrown)}).`, {
    type: "ConstellationWarning",
    code: "CONSTELLATION_ABORT_LISTENER",
  });
}

/**
 * Calls back once everything that can react to an abort without waiting for the outside world has
 * done so: after the promise callbacks that wait now, and those that they make. Takes no timer.
 */
export function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}

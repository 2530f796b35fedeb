/**
 * Milliseconds on a monotonic clock. All threads of a process share it, but processes do not: a caller learns the
 * clock of the process it calls from the answer to a ping.
 */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Milliseconds of a clock that no one sets. All threads of a process have the same one, and it does not go on from one
 * process to another: a caller learns that of the process it calls from its answer to a ping.
 */
export function monotonicNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

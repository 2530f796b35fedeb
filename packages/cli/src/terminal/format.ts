/** A time for people: `12 ms`, `1.4 s`, `2 min 5 s`. */
export function formatTime(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A moment for people, in UTC: `2026-01-31 12:00:00`. */
export function formatSecond(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace("T", " ");
}

/** A number of things for people: `1 file`, `2 files`. */
export function countText(count: number, noun: string): string {
  return `${count} ${count === 1 ? noun : `${noun}s`}`;
}

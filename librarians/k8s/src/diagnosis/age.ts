/** A time span for people: `45 s`, `25 min`, `3 h`, `5 d`. */
export function printDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} d`;
}

/** A moment for people: the time of day in UTC, with its date unless it is of the last 12 hours. */
export function printMoment(at: number, now: number): string {
  const text = new Date(at).toISOString();
  return now - at < 43_200_000 ? text.slice(11, 16) : `${text.slice(0, 10)} ${text.slice(11, 16)}`;
}

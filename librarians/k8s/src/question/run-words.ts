/** What a question asks about a run in time. */
const words =
  /\b(?:when|how long|what time)\b.{0,200}\b(?:runs?|ran|start(?:ed)?|finish(?:ed)?|complete(?:d)?|succeed(?:ed)?|fail(?:ed)?|end(?:ed)?|take|took|last(?:ed)?|stop(?:ped)?|die|died|terminate(?:d)?|restart(?:ed)?|crash(?:ed)?|up)\b/i;
const duration =
  /\b(?:duration|run ?time|last run|start(?:ing)? time|end time|completion time|exit codes?)\b/i;

/** True for a question when something ran, started or ended, how long it took, or how it ended. */
export function asksRun(query: string): boolean {
  return (
    words.test(query) ||
    (duration.test(query) && /\b(?:what|whats|what's|which|show|get|tell)\b/i.test(query))
  );
}

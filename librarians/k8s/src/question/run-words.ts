import { toWords } from "./words.js";

/** What a question asks about a run in time. */
const time = /\b(?:when|how long|what time)\b/i;
const run =
  /\b(?:runs?|ran|start(?:ed)?|finish(?:ed)?|completed?|succeed(?:ed)?|fail(?:ed)?|end(?:ed)?|take|took|last(?:ed)?|stop(?:ped)?|die|died|terminated?|restart(?:ed)?|crash(?:ed)?|up)\b/i;

/** True for a question when something ran, started or ended, how long it took, or how it ended. */
export function asksRun(query: string): boolean {
  return time.test(query) && run.test(query);
}

/** True for a question that a moment in the past answers: "when did the import fail?" */
export function asksMoment(query: string): boolean {
  const [first, second = ""] = toWords(query.toLowerCase());
  return first === "when" && ["did", "was", "were"].includes(second);
}

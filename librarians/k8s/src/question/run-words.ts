import { phrases } from "./question-words.js";
import { toWords } from "./words.js";

/** What a question asks about a run in time. */
const time = phrases("run-words.time");
const run = phrases("run-words.run");

/** True for a question when something ran, started or ended, how long it took, or how it ended. */
export function asksRun(query: string): boolean {
  return time.test(query) && run.test(query);
}

/** True for a question that a moment in the past answers: "when did the import fail?" */
export function asksMoment(query: string): boolean {
  const [first, second = ""] = toWords(query.toLowerCase());
  return first === "when" && ["did", "was", "were"].includes(second);
}

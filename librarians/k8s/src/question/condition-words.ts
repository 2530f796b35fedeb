import { createPhrases } from "@constellation/nlu";
import { type SignalType, signalTypes } from "../diagnosis/signal-type.js";
import { phrases, questionWords } from "./question-words.js";

const table = questionWords.conditions.map(
  ([words, signals]) => [createPhrases(words), signals] as const,
);

/** What a question's own words ask about, and how many of them do. Empty when it only asks what is wrong. */
export function conditionsIn(query: string): ReadonlyMap<SignalType, number> {
  const text = query.toLowerCase();
  const named = signalTypes.filter(
    (signal) => signal !== "Healthy" && text.includes(signal.toLowerCase()),
  );
  const counts = new Map<SignalType, number>();
  const all = [
    ...named,
    ...table.flatMap(([pattern, signals]) => (pattern.test(text) ? signals : [])),
  ];
  for (const signal of all) counts.set(signal, (counts.get(signal) ?? 0) + 1);
  return counts;
}

const history = phrases("condition-words.history");

/** True when it asks what happened, and not only what is. */
export function asksHistory(query: string): boolean {
  return history.test(query);
}

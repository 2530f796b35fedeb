import type { Librarian } from "../contract/librarian.js";
import { describeValue } from "../contract/unknown-value.js";
import { isReplacement, outcomeOfCall } from "../resilience/failure.js";
import { attempt, mayRepeat } from "./attempt.js";
import type { Wrapper } from "./wrapper.js";

/**
 * Calls others when a librarian fails, in this order, as `fallback` of a definition does. What is about
 * the query or the user, such as `NOT_FOUND`, is not a failure. They get the same query and context, and
 * no hop: to have one, with its own guards and its place in the record, use `fallback` of a definition. A
 * librarian registered with `effects: "write"` has no fallback once it was called.
 *
 * @returns A wrapper whose librarian gives the first response with an answer or a delegate, else that of
 *   the librarian itself.
 * @throws TypeError when a fallback is not a function.
 */
export function withFallback(...fallbacks: readonly Librarian[]): Wrapper {
  for (const [index, fallback] of fallbacks.entries()) {
    if (typeof fallback !== "function") {
      throw new TypeError(
        `fallbacks[${index}]: expected a librarian, got ${describeValue(fallback)}.`,
      );
    }
  }
  return (librarian) =>
    async (query, context = {}) => {
      const called = await attempt(librarian, query, context);
      if (outcomeOfCall(called.response) !== "failure") return called.result();
      for (const fallback of fallbacks) {
        if (!mayRepeat(context)) break;
        const replacing = await attempt(fallback, query, context);
        if (isReplacement(replacing.response)) return replacing.result();
      }
      return called.result();
    };
}

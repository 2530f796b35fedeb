import type { Delegate } from "@constellation/core";
import type { ReadQuery } from "./query-parts.js";
import type { ScoredDelegate, ScoredText } from "./score-delegates.js";

/** How probable each delegate that only reads is for a text. */
function toCertainties({ ranked, sharpness }: ScoredText): ReadonlyMap<Delegate, number> {
  const readers = ranked.filter(isReader);
  const highest = readers[0]?.score ?? 0;
  const powers = readers.map(({ score }) => Math.exp(sharpness * (score - highest)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return new Map(readers.map(({ delegate }, at) => [delegate, (powers[at] ?? 0) / sum]));
}

/** Reads what speaks for another delegate than the main one for a part, given by its place, in the order of its weights. */
export type ReadSecond = (
  place: number,
  best: Delegate,
  main: Delegate | undefined,
) => readonly number[];

export function createSecondReader(
  parts: readonly ScoredText[],
  { isJoined, asksTwice }: Pick<ReadQuery, "isJoined" | "asksTwice">,
): ReadSecond {
  const certainties = parts.map(toCertainties);
  const lengths = parts.map(({ words }) => words.filter((word) => !word.isExtra).length);
  return (place, best, main) => {
    const others = certainties.filter((_, at) => at !== place);
    return [
      certainties[place]?.get(best) ?? 0,
      Math.log(1 + Math.min(...lengths)),
      main === undefined ? 0 : Math.max(0, ...others.map((part) => part.get(main) ?? 0)),
      isJoined ? 1 : 0,
      asksTwice ? 1 : 0,
    ];
  };
}

/** Whether something is more probable than not, by a logistic regression. */
export function isLikely(
  { bias, weights }: { readonly bias: number; readonly weights: readonly number[] },
  signals: readonly number[],
): boolean {
  return signals.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), bias) > 0;
}

/** Whether a delegate changes nothing. */
export function isReader({ delegate }: ScoredDelegate): boolean {
  return delegate.effects !== "write";
}

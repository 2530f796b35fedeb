import type { Delegate } from "@constellation/core";
import type { ScoredDelegate, ScoredText } from "./score-delegates.js";

/** How probable each delegate that only reads is for a text. */
export type Certainties = ReadonlyMap<Delegate, number>;

export function toCertainties({ ranked, sharpness }: ScoredText): Certainties {
  const readers = ranked.filter(isReader);
  const highest = readers[0]?.score ?? 0;
  const powers = readers.map(({ score }) => Math.exp(sharpness * (score - highest)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return new Map(readers.map(({ delegate }, at) => [delegate, (powers[at] ?? 0) / sum]));
}

/** The delegate that is most probable for all texts together. */
export function findMain(texts: readonly Certainties[]): Delegate | undefined {
  let main: Delegate | undefined;
  let most = Number.NEGATIVE_INFINITY;
  for (const delegate of texts[0]?.keys() ?? []) {
    const own = texts.reduce((sum, text) => sum + Math.log(text.get(delegate) ?? 0), 0);
    if (own > most) [main, most] = [delegate, own];
  }
  return main;
}

/** What speaks for another delegate than the main one for a part, in the order of its weights. */
export function readSecond(
  part: Certainties,
  best: Delegate,
  parts: readonly ScoredText[],
): readonly number[] {
  const lengths = parts.map(({ words }) => words.filter((word) => !word.isExtra).length);
  return [part.get(best) ?? 0, Math.log(1 + Math.min(...lengths))];
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

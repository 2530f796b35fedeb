import type { AnswerEstimate, AnswerEstimates, Delegate } from "@constellation/core";
import type { DelegateNearness, Nearness } from "../meaning/nearness.js";
import type { DelegateIndex, WeighedWord } from "./delegate-index.js";
import type { FoundIndex } from "./index-cache.js";
import type { ReadWords } from "./query-words.js";

/** A delegate that may be called, and how well it fits a text. */
export interface ScoredDelegate {
  /** The librarian to call: the group, where `member` is in one. */
  readonly delegate: Delegate;
  /** The delegate that fits. */
  readonly member: Delegate;
  /** How well it fits, 0 to 1. */
  readonly score: number;
}

/** What is known about a text beside its words. */
export interface TextSignals {
  readonly near?: Nearness | undefined;
  readonly estimates?: AnswerEstimates | undefined;
}

/** A text, and the delegates that fit it. */
export interface ScoredText {
  readonly words: readonly WeighedWord[];
  /** Best first. */
  readonly ranked: readonly ScoredDelegate[];
}

/*
 * The fixed mix of what is known about a delegate and a text, each from 0 to 1. A signal that is unknown has the value of
 * the description's, so that a librarian without an estimate is neither better nor worse for it. Content counts no more
 * than these weights, whatever a librarian has in it.
 */

/** Without vectors. */
const byWords = { words: 1, coverage: 1, chance: 0.4 };
/** With vectors. */
const byMeaning = { similarity: 1, near: 0.5, coverage: 0.25, chance: 0.15, words: 0.15 };
/** Below 1: a few of a query's words say as much as a cosine of the same score. */
const wordsPower = 0.7;
const maxByWords = sum(byWords);
const maxByMeaning = sum(byMeaning);

function sum(weights: Readonly<Record<string, number>>): number {
  return Object.values(weights).reduce((all, each) => all + each, 0);
}

/** Mixes the signals. @param words - Share of the text's words that the delegate has, by weight. */
export function mixSignals(
  words: number,
  near: DelegateNearness | undefined,
  estimate: AnswerEstimate | undefined,
): number {
  const { coverage = words, chance = coverage } = estimate ?? {};
  if (near === undefined) {
    const mixed = byWords.words * words + byWords.coverage * coverage + byWords.chance * chance;
    return (mixed / maxByWords) ** wordsPower;
  }
  const similarity = estimate?.similarity ?? near.together;
  return Math.max(
    0,
    (byMeaning.similarity * similarity +
      byMeaning.near * near.nearest +
      byMeaning.coverage * coverage +
      byMeaning.chance * chance +
      byMeaning.words * words) /
      maxByMeaning,
  );
}

/** How many delegates are scored for a text where there are more of them. */
export const maxScored = 100;

/** Finds the delegates that may fit a text, by their words and their meaning. */
export function findPlaces(
  text: string,
  { index, left }: FoundIndex,
  readWords: ReadWords,
  near: Nearness | undefined,
  foundByWords: Map<string, readonly number[]> = new Map(),
): ReadonlySet<number> {
  if (index.delegates.length <= maxScored) {
    return new Set([...index.delegates.keys()].filter((place) => !left.has(place)));
  }
  const byWords =
    foundByWords.get(text) ??
    index.find(index.weigh(readWords(text), left), maxScored, left).map(({ place }) => place);
  foundByWords.set(text, byWords);
  const places = [...byWords, ...(near?.places ?? [])];
  return new Set(places.filter((place) => !left.has(place)));
}

/** Scores delegates for a text. */
export function scoreText(
  text: string,
  places: ReadonlySet<number>,
  { index, left }: FoundIndex,
  readWords: ReadWords,
  { near, estimates }: TextSignals,
  targetOf: (delegate: Delegate) => Delegate,
): ScoredText {
  const words = index.weigh(readWords(text), left);
  const total = words.reduce((all, { weight, isExtra }) => all + (isExtra ? 0 : weight), 0);
  const best = new Map<Delegate, ScoredDelegate>();
  for (const place of places) {
    const member = index.delegates[place];
    if (member === undefined) continue;
    const delegate = targetOf(member);
    // A probe must not draw a query to a librarian that changes something.
    const estimate = delegate.effects === "write" ? undefined : estimates?.get(delegate.id);
    const share = shareOf(index, words, total, place);
    const score = mixSignals(share, near?.of(place), estimate);
    const before = best.get(delegate);
    if (before === undefined || score > before.score)
      best.set(delegate, { delegate, member, score });
  }
  return { words, ranked: [...best.values()].sort((a, b) => b.score - a.score) };
}

/** Share of the words that a delegate has, by weight. A number or name that it has makes up for words that it lacks. */
function shareOf(
  index: DelegateIndex,
  words: readonly WeighedWord[],
  total: number,
  place: number,
): number {
  const evidence = index.evidence(words, place);
  return evidence === 0 ? 0 : Math.min(1, evidence / Math.max(total, evidence));
}

import type { AnswerEstimate, AnswerEstimates, Delegate } from "@constellation/core";
import type { Nearness } from "../meaning/nearness.js";
import { compareText } from "../meaning/word-nearness.js";
import type { WeighedWord } from "./delegate-index.js";
import type { FoundIndex } from "./index-cache.js";
import { embedded, plain } from "./mix-weights.js";
import type { ReadWords } from "./query-words.js";

/** A delegate that may be called, and how well it fits a text. */
export interface ScoredDelegate {
  /** The librarian to call: the group, where `member` is in one. */
  readonly delegate: Delegate;
  /** The delegate that fits. */
  readonly member: Delegate;
  /** How well it fits, 0 to 1. */
  readonly score: number;
  /** How much of the text's words it has said that it has. */
  readonly estimated?: number | undefined;
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
  /** By how much the logarithm of a delegate's probability changes with its score. */
  readonly sharpness: number;
}

/** What is known about a delegate and a text, each about from 0 to 1. */
export interface Signals {
  /** How much of the text's words its description and examples have. */
  readonly coverage: number;
  /** By the vectors of their words. */
  readonly byWords: number;
  /** By an embedder. */
  readonly near: number | undefined;
  /** What it estimates itself. */
  readonly estimate: AnswerEstimate | undefined;
}

/**
 * The signals as numbers, in the order of their weights. Description and examples are content too: what they cover counts
 * where the estimate knows less. A similarity that is unknown has the value for the description, so that a librarian
 * without an estimate is neither better nor worse for it.
 */
export function readSignals({ coverage, byWords, near, estimate }: Signals): readonly number[] {
  const covered = Math.max(coverage, estimate?.coverage ?? 0);
  return near === undefined ? [covered, byWords] : [covered, near, estimate?.similarity ?? near];
}

/** Mixes the signals, to about 0 to 1. Content counts no more than its weights, whatever a librarian has in it. */
function mixSignals(signals: Signals): number {
  const { weights } = signals.near === undefined ? plain : embedded;
  const own = readSignals(signals);
  return Math.max(
    0,
    own.reduce((sum, value, at) => sum + value * (weights[at] ?? 0), 0),
  );
}

/**
 * By how much what clearly fits exceeds the threshold. A librarian that has estimated must: it scores higher where it can
 * answer.
 */
export const clearFactor = 2;

/** By how much one fits better that has what the query names: it decides where others fit about as well. */
const nameFactor = 1.1;

/** Number of delegates above which only some are scored for a text: those that words find first, and those that are near. */
export const maxScored = 100;
const maxFound = 25;
/** As many are found for a part of a query, beside those of the whole. */
const maxFoundForPart = 10;

/** Finds the delegates that may fit a text, by their words and their meaning. */
export function findPlaces(
  text: string,
  { index, left }: FoundIndex,
  readWords: ReadWords,
  near: Nearness | undefined,
  foundByWords: Map<string, readonly number[]>,
): ReadonlySet<number> {
  if (index.delegates.length <= maxScored) {
    return new Set([...index.delegates.keys()].filter((place) => !left.has(place)));
  }
  const isPart = foundByWords.size > 0; // the whole query comes first
  const byWords =
    foundByWords.get(text) ??
    index
      .find(index.weigh(readWords(text), left), isPart ? maxFoundForPart : maxFound, left)
      .map(({ place }) => place);
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
  const members = [...places].flatMap((place) => index.delegates[place] ?? []);
  const compare = compareText(text, members);
  const best = new Map<Delegate, ScoredDelegate>();
  for (const place of places) {
    const member = index.delegates[place];
    if (member === undefined) continue;
    const delegate = targetOf(member);
    // A probe must not draw a query to a librarian that changes something.
    const estimate = delegate.effects === "write" ? undefined : estimates?.get(delegate.id);
    const mixed = mixSignals({ ...compare(member), near: near?.of(place), estimate });
    const score = estimate?.isNamed === true ? Math.min(1, nameFactor * mixed) : mixed;
    const before = best.get(delegate);
    if (before === undefined || score > before.score)
      best.set(delegate, {
        delegate,
        member,
        score,
        estimated: estimate?.coverage,
      });
  }
  const ranked = [...best.values()].sort((a, b) => b.score - a.score);
  return { words, ranked, sharpness: near === undefined ? plain.sharpness : embedded.sharpness };
}

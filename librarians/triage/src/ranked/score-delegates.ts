import type { AnswerEstimate, AnswerEstimates, Delegate } from "@constellation/core";
import { toWordVector } from "@constellation/nlu";
import type { DelegateNearness, Nearness } from "../meaning/nearness.js";
import { compareWords } from "../meaning/word-nearness.js";
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

/** What is known about a delegate and a text, each about from 0 to 1. */
export interface Signals {
  /** Share of the text's words that the delegate has, by weight. */
  readonly words: number;
  /** By the vectors of their words. */
  readonly byWords: DelegateNearness;
  /** By an embedder. */
  readonly near: DelegateNearness | undefined;
  /** What it estimates itself. */
  readonly estimate: AnswerEstimate | undefined;
}

/*
 * The fixed mix, fitted on meshes with questions by several authors so that the right one of their librarians comes first:
 * see eval/README.md. Content counts no more than these weights, whatever a librarian has in it.
 */
/** Without an embedder. */
const plain = { words: 0.15, described: 0.6, exemplified: 0.3, coverage: 1.25 };
/** With one. */
const embedded = { words: 0.05, described: 0.4, exemplified: 0.05, coverage: 0.65 };
const byEmbedder = { described: 0.15, exemplified: 0.45, similarity: 1.25 };
const maxPlain = sum(plain);
const maxEmbedded = sum(embedded) + sum(byEmbedder);

function sum(weights: Readonly<Record<string, number>>): number {
  return Object.values(weights).reduce((all, each) => all + each, 0);
}

/**
 * Mixes the signals, to about 0 to 1. Description and examples are content too: what they cover counts where the estimate
 * knows less. One that is unknown has the value of its kind for the description, so that a librarian without an estimate is
 * neither better nor worse for it.
 */
export function mixSignals({ words, byWords, near, estimate }: Signals): number {
  const { coverage = words, similarity } = estimate ?? {};
  const own = near === undefined ? plain : embedded;
  const mixed =
    own.words * words +
    own.described * byWords.described +
    own.exemplified * byWords.exemplified +
    own.coverage * Math.max(words, coverage);
  if (near === undefined) return Math.max(0, mixed / maxPlain);
  const { described, exemplified } = near;
  const more =
    byEmbedder.described * described +
    byEmbedder.exemplified * exemplified +
    byEmbedder.similarity * (similarity ?? (described + exemplified) / 2);
  return Math.max(0, (mixed + more) / maxEmbedded);
}

/** Number of delegates above which only some are scored for a text: those that words find first, and those that are near. */
export const maxScored = 100;
const maxFound = 25;

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
    index.find(index.weigh(readWords(text), left), maxFound, left).map(({ place }) => place);
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
  const vector = toWordVector(text);
  const best = new Map<Delegate, ScoredDelegate>();
  for (const place of places) {
    const member = index.delegates[place];
    if (member === undefined) continue;
    const delegate = targetOf(member);
    // A probe must not draw a query to a librarian that changes something.
    const estimate = delegate.effects === "write" ? undefined : estimates?.get(delegate.id);
    const share = shareOf(index, words, total, place);
    const byWords = compareWords(vector, member);
    const score = mixSignals({ words: share, byWords, near: near?.of(place), estimate });
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

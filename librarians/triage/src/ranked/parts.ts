import type { Delegate } from "@constellation/core";
import type { Analyzer } from "@constellation/retrieval";
import type { Nearness } from "../meaning/nearness.js";
import type {
  DelegateIndex,
  FoundDelegate,
  RankedDelegate,
  WeighedWord,
} from "./delegate-index.js";
import { createSupport, type IsSupported } from "./support.js";

/** Who is asked, and which of its members fits. */
export interface RankedTarget extends RankedDelegate {
  /** The delegate itself, where it is not a group. */
  readonly member: Delegate;
}

/** A part of a query, and who fits it. */
export interface Part {
  readonly text: string;
  readonly words: readonly WeighedWord[];
  /** Best first. */
  readonly ranked: readonly RankedTarget[];
  readonly isSupported: IsSupported;
}

/** How parts are read. */
export interface PartOptions {
  readonly analyzer: Analyzer;
  readonly threshold: number;
  /** Maximum number of candidates of one part. */
  readonly candidates: number;
  /** Who is asked for a delegate that fits: its group, where it is a member of one. */
  readonly targetOf: (delegate: Delegate) => Delegate;
  /** Nearness in meaning, by the text of a part. */
  readonly nearness?: ReadonlyMap<string, Nearness> | undefined;
  /** Whom the words of a part have found, by its text: kept for the second reading of the same query. */
  readonly foundByWords?: Map<string, readonly FoundDelegate[]> | undefined;
}

/** How much better than the one for the whole query a delegate must fit a part to get it. */
const lead = 1.2;

/** Ranks the delegates for a part: by its words, and by its meaning where that is known. */
export function readPart(
  text: string,
  words: readonly WeighedWord[],
  index: DelegateIndex,
  left: ReadonlySet<number>,
  { analyzer, candidates, nearness, foundByWords, targetOf }: PartOptions,
): Part {
  const found = foundByWords?.get(text) ?? index.find(words, candidates, left);
  foundByWords?.set(text, found);
  const ranked = index.rank(words, found, candidates, left, nearness?.get(text));
  return {
    text,
    words,
    ranked: byTarget(ranked, targetOf),
    isSupported: createSupport(index, analyzer, text),
  };
}

/** Those who are asked, each once, with the best of its members. */
function byTarget(
  ranked: readonly RankedDelegate[],
  targetOf: (delegate: Delegate) => Delegate,
): readonly RankedTarget[] {
  const targets = new Map<Delegate, RankedTarget>();
  for (const each of ranked) {
    const delegate = targetOf(each.delegate);
    if (!targets.has(delegate)) targets.set(delegate, { ...each, delegate, member: each.delegate });
  }
  return [...targets.values()];
}

/** The best of those for whom there is evidence enough. */
export function bestOf(part: Part, threshold: number): RankedTarget | undefined {
  return fittingOf(part, threshold).next().value;
}

/** Those for whom there is evidence enough, best first. */
export function* fittingOf(
  { words, ranked, isSupported }: Part,
  threshold: number,
): Generator<RankedTarget, undefined> {
  for (const each of ranked) {
    if (each.score >= threshold && isSupported(words, each)) yield each;
  }
  return undefined;
}

/** Who fits best: the whole query, or else any part of it, since the rest may say nothing. */
export function mainOf(
  whole: Part,
  parts: readonly Part[],
  threshold: number,
): RankedTarget | undefined {
  const fits = parts.flatMap((part) => bestOf(part, threshold) ?? []);
  return bestOf(whole, threshold) ?? fits.toSorted((a, b) => b.score - a.score)[0];
}

/** The owner of a part; undefined when no delegate fits it well enough. */
export function ownerOf(part: Part, main: Delegate, threshold: number): RankedTarget | undefined {
  const first = bestOf(part, threshold);
  if (first === undefined) return undefined;
  const ofMain = part.ranked.find(({ delegate }) => delegate === main);
  return ofMain !== undefined && first.evidence < lead * ofMain.evidence ? ofMain : first;
}

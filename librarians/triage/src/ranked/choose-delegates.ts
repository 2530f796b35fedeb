import type { Delegate } from "@constellation/core";
import { clausesOf } from "./clauses.js";
import type { RankedDelegate, WeighedWord } from "./delegate-index.js";
import type { FoundIndex } from "./index-cache.js";
import type { ReadWords } from "./query-words.js";
import { refineQuery } from "./refine-query.js";

/** A delegate that was chosen for a query or for a part of it. */
export interface Choice {
  readonly to: string;
  /** What to ask it. */
  readonly query: string;
  /** How well it fits, 0 to 1. */
  readonly score: number;
  /** Words of the query that it has, as they were written. */
  readonly words: readonly string[];
}

/** What the match of a query with the delegates gave. */
export interface RankedMatch {
  /** In the order in which the query speaks of them. Empty: none fits. */
  readonly choices: readonly Choice[];
  /** Those who fit a part of the query and were one too many. */
  readonly notAsked: readonly string[];
  /** The best of the whole query and of each part of it, best first, each once. */
  readonly candidates: readonly Candidate[];
}

/** A delegate and the best score it had. */
export interface Candidate {
  readonly delegate: Delegate;
  readonly score: number;
}

/** How delegates are chosen. */
export interface ChooseOptions {
  readonly threshold: number;
  readonly maxDelegates: number;
  /** Maximum number of candidates to name. */
  readonly candidates: number;
}

/** How much better than the one for the whole query somebody must fit a part to get it. */
const lead = 1.2;

/**
 * Chooses who is asked. Several only when parts of the query fit different delegates, each clearly
 * better than the delegate that fits the whole query best.
 */
export function chooseDelegates(
  query: string,
  { index, left }: FoundIndex,
  readWords: ReadWords,
  options: ChooseOptions,
): RankedMatch {
  const { threshold, maxDelegates } = options;
  const weighed = index.weigh(readWords(query), left);
  const byTerm = new Map(weighed.map((word) => [word.term, word]));
  const whole = index.rank(weighed, options.candidates, left);
  const clauses = clausesOf(query);
  const parts =
    clauses.length === 1
      ? [{ words: weighed, ranked: whole }]
      : clauses.map(({ text }) => {
          const words = readWords(text).flatMap(({ term }) => byTerm.get(term) ?? []);
          return { words, ranked: index.rank(words, options.candidates, left) };
        });
  const candidates = candidatesOf(
    [whole, ...parts.map(({ ranked }) => ranked)],
    options.candidates,
  );

  const onlyFor = ({ delegate, score }: Candidate): RankedMatch => {
    const words = index.shared(weighed, delegate);
    return {
      choices: [{ to: delegate.id, query: query.trim(), score, words }],
      notAsked: [],
      candidates,
    };
  };

  const known = whole.find(({ delegate }) => isExampleOf(delegate, weighed, readWords));
  if (known !== undefined) return onlyFor({ delegate: known.delegate, score: 1 });

  const main = mainOf(whole, parts, threshold);
  if (main === undefined) return { choices: [], notAsked: [], candidates };
  const owners = parts.map(({ ranked }) => ownerOf(ranked, main.delegate, threshold));
  const chosen = chosenOf(owners, parts);
  if (chosen.length <= 1) return onlyFor(chosen[0] ?? main);
  const asked = new Set(chosen.toSorted((a, b) => b.score - a.score).slice(0, maxDelegates));
  const { preamble, ownerAt } = spread(owners);
  const choices = chosen
    .filter((each) => asked.has(each))
    .map(({ delegate, score }): Choice => {
      const own = (place: number) => ownerAt[place] === delegate;
      const words = index.shared(wordsOf(parts, own), delegate);
      return { to: delegate.id, query: refineQuery(query, clauses, own, preamble), score, words };
    });
  const notAsked = chosen.filter((each) => !asked.has(each)).map(({ delegate }) => delegate.id);
  return { choices, notAsked, candidates };
}

/** Whether a query has the very words of one of the questions that a delegate says it answers well. */
function isExampleOf(
  { examples = [] }: Delegate,
  words: readonly WeighedWord[],
  readWords: ReadWords,
): boolean {
  const wanted = termsIn(words);
  return wanted !== "" && examples.slice(0, 100).some((one) => termsIn(readWords(one)) === wanted);
}

function termsIn(words: ReturnType<ReadWords>): string {
  const terms = words.flatMap(({ term, isForm }) => (isForm ? [] : term));
  return terms.toSorted().join(" ");
}

interface Part {
  readonly words: readonly WeighedWord[];
  readonly ranked: readonly RankedDelegate[];
}

/** Who fits best: the whole query, or else any part of it, since the rest may say nothing. */
function mainOf(
  whole: readonly RankedDelegate[],
  parts: readonly Part[],
  threshold: number,
): RankedDelegate | undefined {
  const [first] = whole;
  if (first !== undefined && first.score >= threshold) return first;
  const best = parts
    .flatMap(({ ranked }) => ranked[0] ?? [])
    .reduce<RankedDelegate | undefined>(
      (most, each) => (most === undefined || each.score > most.score ? each : most),
      undefined,
    );
  return best !== undefined && best.score >= threshold ? best : undefined;
}

/** The owner of a part; undefined when no delegate fits it well enough. */
function ownerOf(
  ranked: readonly RankedDelegate[],
  main: Delegate,
  threshold: number,
): RankedDelegate | undefined {
  const [first] = ranked;
  if (first === undefined || first.score < threshold) return undefined;
  const ofMain = ranked.find(({ delegate }) => delegate === main);
  return ofMain !== undefined && first.evidence < lead * ofMain.evidence ? ofMain : first;
}

/** Each owner once, with its best score, in the order of the parts. */
function chosenOf(
  owners: readonly (RankedDelegate | undefined)[],
  parts: readonly Part[],
): readonly Candidate[] {
  const scores = new Map<Delegate, number>();
  for (const owner of parts.length > 1 ? owners : []) {
    if (owner === undefined) continue;
    scores.set(owner.delegate, Math.max(owner.score, scores.get(owner.delegate) ?? 0));
  }
  return [...scores].map(([delegate, score]) => ({ delegate, score }));
}

/** A part without an owner goes with the one before it; those before the first owner go to everybody. */
function spread(owners: readonly (RankedDelegate | undefined)[]): {
  readonly preamble: number;
  readonly ownerAt: readonly (Delegate | undefined)[];
} {
  const first = owners.findIndex((owner) => owner !== undefined);
  const ownerAt: (Delegate | undefined)[] = [];
  for (const owner of owners) ownerAt.push(owner?.delegate ?? ownerAt.at(-1));
  return { preamble: Math.max(0, first), ownerAt };
}

function wordsOf(parts: readonly Part[], own: (place: number) => boolean): readonly WeighedWord[] {
  return parts.flatMap(({ words }, place) => (own(place) ? words : []));
}

/** In turn from each ranking, so that every subject of the query is among them. */
function candidatesOf(
  rankings: readonly (readonly RankedDelegate[])[],
  limit: number,
): readonly Candidate[] {
  const best = new Map<Delegate, number>();
  for (let place = 0; place < limit && best.size < limit; place++) {
    for (const ranked of rankings) {
      const each = ranked[place];
      if (each === undefined || (best.size >= limit && !best.has(each.delegate))) continue;
      best.set(each.delegate, Math.max(each.score, best.get(each.delegate) ?? 0));
    }
  }
  return [...best]
    .map(([delegate, score]) => ({ delegate, score }))
    .sort((a, b) => b.score - a.score);
}

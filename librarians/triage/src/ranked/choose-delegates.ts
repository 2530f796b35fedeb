import type { Delegate } from "@constellation/core";
import { clausesOf } from "./clauses.js";
import type { WeighedWord } from "./delegate-index.js";
import type { FoundIndex } from "./index-cache.js";
import {
  fittingOf,
  mainOf,
  ownerOf,
  type Part,
  type PartOptions,
  type RankedTarget,
  readPart,
} from "./parts.js";
import type { ReadWords } from "./query-words.js";
import { refineQuery } from "./refine-query.js";
import { requestsOf } from "./requests.js";

/** A delegate that was chosen for a query or for a part of it. */
export interface Choice {
  readonly to: string;
  /** What to ask it. */
  readonly query: string;
  /** How well it fits, 0 to 1. */
  readonly score: number;
  /** Words of the query that it has, as they were written. Empty: its meaning is near. */
  readonly words: readonly string[];
  /** Whether it was the user's team that decided between equals. */
  readonly isOfTeam?: boolean;
}

/** What the match of a query with the delegates gave. */
export interface RankedMatch {
  /** In the order in which the query speaks of them. Empty: none fits. */
  readonly choices: readonly Choice[];
  /** Those who fit equally well, where that leaves no choice; best first. Else empty. */
  readonly tied: readonly Delegate[];
  /** Those who fit a part of the query and were one too many. */
  readonly notAsked: readonly string[];
  /** The best of the whole query and of each part of it, best first, each once. */
  readonly candidates: readonly Candidate[];
  /** Texts of the query whose meaning may decide otherwise; none where it has the words of an example. */
  readonly open: readonly string[];
}

/** A delegate and the best score it had. */
export interface Candidate {
  readonly delegate: Delegate;
  readonly score: number;
}

/** Who gets a part of a query. */
type Owner = Pick<RankedTarget, "delegate" | "member" | "score">;

/** How delegates are chosen. */
export interface ChooseOptions extends PartOptions {
  readonly maxDelegates: number;
  /** Teams of the user: they decide between delegates that fit equally well. */
  readonly teams: readonly string[];
}

/** Share of the best one's evidence at which another fits as well. */
const equalShare = 0.98;
/** Maximum number of parts that are compared by meaning. */
const maxOpen = 6;

/**
 * Chooses who is asked. Several only when parts of the query fit different delegates, each clearly
 * better than the delegate that fits the whole query best. Of several that fit equally well, the one of
 * the user's team; else none, and they are `tied`.
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
  const partOf = (text: string, words: readonly WeighedWord[]) =>
    readPart(text, words, index, left, options);
  const whole = partOf(query, weighed);
  const clauses = requestsOf(query, clausesOf(query));
  const parts =
    clauses.length === 1
      ? [whole]
      : clauses.map(({ text }) =>
          partOf(
            text,
            readWords(text).flatMap(({ term }) => byTerm.get(term) ?? []),
          ),
        );
  const rankings = [whole, ...parts].map(({ ranked }) => ranked);
  const found = {
    tied: [],
    notAsked: [],
    candidates: candidatesOf(rankings, options.candidates),
    open: [...new Set([query, ...parts.map(({ text }) => text)])].slice(0, maxOpen),
  };
  const onlyFor = ({ delegate, member, score }: Owner, isOfTeam = false): RankedMatch => {
    const words = index.shared(weighed, member);
    const choice = { to: delegate.id, query: query.trim(), score, words };
    return { ...found, choices: [isOfTeam ? { ...choice, isOfTeam } : choice] };
  };

  const contents = weighed.filter(({ isForm }) => !isForm);
  const known = whole.ranked.find(
    ({ member }) =>
      contents.every((word) => index.has(word, member)) && isExampleOf(member, weighed, readWords),
  );
  if (known !== undefined) return { ...onlyFor({ ...known, score: 1 }), open: [] };

  const main = mainOf(whole, parts, threshold);
  if (main === undefined) return { ...found, choices: [] };
  const owners = parts.map((part) => ownerOf(part, main.delegate, threshold));
  const chosen = chosenOf(owners, parts);
  if (chosen.length <= 1) {
    const only = chosen[0] ?? main;
    const equal = equalsOf(whole, only.delegate, threshold);
    if (equal.length === 0) return onlyFor(only);
    const all = [only, ...equal];
    const [ofTeam, ...others] = all.filter(({ delegate: { team } }) =>
      isOneOf(team, options.teams),
    );
    return ofTeam !== undefined && others.length === 0
      ? onlyFor(ofTeam, true)
      : { ...found, choices: [], tied: all.map(({ delegate }) => delegate) };
  }
  const asked = new Set(chosen.toSorted((a, b) => b.score - a.score).slice(0, maxDelegates));
  const { preamble, ownerAt } = spread(owners);
  const choices = chosen
    .filter((each) => asked.has(each))
    .map(({ delegate, member, score }): Choice => {
      const own = (place: number) => ownerAt[place] === delegate;
      const words = index.shared(wordsOf(parts, own), member);
      return { to: delegate.id, query: refineQuery(query, clauses, own, preamble), score, words };
    });
  const notAsked = chosen.filter((each) => !asked.has(each)).map(({ delegate }) => delegate.id);
  return { ...found, choices, notAsked };
}

/** Others who fit the whole query as well as the one who was chosen for it. */
function equalsOf(whole: Part, chosen: Delegate, threshold: number): readonly Owner[] {
  const fitting = [...fittingOf(whole, threshold)];
  const own = fitting.find(({ delegate }) => delegate === chosen);
  if (own === undefined) return [];
  return fitting.filter((each) => each !== own && each.evidence >= equalShare * own.evidence);
}

function isOneOf(team: string | undefined, teams: readonly string[]): boolean {
  return team !== undefined && teams.includes(team);
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

/** Each owner once, with its best score, in the order of the parts. */
function chosenOf(
  owners: readonly (RankedTarget | undefined)[],
  parts: readonly Part[],
): readonly Owner[] {
  const best = new Map<Delegate, Owner>();
  for (const owner of parts.length > 1 ? owners : []) {
    if (owner === undefined) continue;
    const before = best.get(owner.delegate);
    if (before === undefined || owner.score > before.score) best.set(owner.delegate, owner);
  }
  return [...best.values()];
}

/** A part without an owner goes with the one before it; those before the first owner go to everybody. */
function spread(owners: readonly (RankedTarget | undefined)[]): {
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
  rankings: readonly (readonly RankedTarget[])[],
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

import type { Delegate } from "@constellation/core";
import { findOrders } from "@constellation/nlu";
import { createSecondReader, isLikely, isReader } from "./certainties.js";
import type { WeighedWord } from "./delegate-index.js";
import type { FoundIndex } from "./index-cache.js";
import { second } from "./mix-weights.js";
import { type ReadQuery, refineQuery } from "./query-parts.js";
import type { QueryWord, ReadWords } from "./query-words.js";
import {
  clearFactor,
  findPlaces,
  maxScored,
  type ScoredDelegate,
  type ScoredText,
  scoreText,
  type TextSignals,
} from "./score-delegates.js";

/** A delegate that was chosen for a query or for a part of it. */
export interface Choice {
  readonly to: string;
  /** The query for it. */
  readonly query: string;
  /** How well it fits, 0 to 1. */
  readonly score: number;
  /** Words of the query that match it, as written. Empty when it matches by meaning or content. */
  readonly words: readonly string[];
  /** Whether the user's team broke a tie. */
  readonly isOfTeam?: boolean;
  /** The act that the query orders of it. */
  readonly act?: string;
  /** It answered the question before. */
  readonly isFollowUp?: boolean;
  /** It fits almost as well as another choice for the same part. */
  readonly isAlternative?: boolean;
}

/** A librarian that could change something that the query is about, and was not told to. */
export interface Offer {
  readonly delegate: Delegate;
}

/** Result of matching a query with the delegates. */
export interface RankedMatch {
  /** In the order of the query. Empty when no delegate fits. */
  readonly choices: readonly Choice[];
  /** Librarians with effects that fit best and that nothing plainly orders. */
  readonly offers: readonly Offer[];
  /** Delegates that fit equally well, best first, when no choice is possible; else empty. */
  readonly tied: readonly Delegate[];
  /** Delegates that fit a part of the query but exceed the maximum number. */
  readonly notAsked: readonly string[];
  /** Parts of the query that no delegate fits, where one fits another part. */
  readonly untaken: readonly string[];
  /** The best of the whole query and of each part of it, best first, each once. */
  readonly candidates: readonly Candidate[];
  /** By how much the logarithm of a delegate's probability changes with its score. */
  readonly sharpness: number;
  /** The query has the words of an example: nothing more needs to be known. */
  readonly isExample?: boolean;
}

/** A delegate and the best score it had. */
export interface Candidate {
  readonly delegate: Delegate;
  readonly score: number;
}

/** Options of {@link chooseDelegates}. */
export interface ChooseOptions {
  readonly threshold: number;
  readonly maxDelegates: number;
  /** Maximum number of candidates. */
  readonly candidates: number;
  /** The librarian to call for a delegate that fits: its group, if it is a member of one. */
  readonly targetOf: (delegate: Delegate) => Delegate;
  /** Teams of the user, which break ties between delegates. */
  readonly teams: readonly string[];
  /** What the user said in this turn, where the query has more: only that can order. Default: the query. */
  readonly said?: string | undefined;
  /** Places found by the words of a text: kept while one query is read. */
  readonly foundByWords?: Map<string, readonly number[]> | undefined;
  /** What is known about the query, and about each of its parts, beside its words. */
  readonly signals?: ReadonlyMap<string, TextSignals> | undefined;
}

/**
 * Share of the best score from which on a second delegate is asked too, unless the first one has all of the words itself,
 * and from which on several are tied.
 */
const narrowShare = 0.97;
const equalShare = 0.995;
/** Share of a writer's score at which a reader is asked in its place. */
const insteadShare = 0.6;
/** Minimum number of words of a part that fits no librarian. */
const minUntakenWords = 3;

/** Texts of a query that delegates are compared with: the whole, then its parts. */
export function textsToCompare({ text, parts }: ReadQuery): readonly string[] {
  return [...new Set([text, ...parts.map((part) => part.text)])];
}

/**
 * Chooses the delegates. Several are chosen when parts of the query fit different delegates, each clearly better than
 * the delegate that fits the whole query best, and when two fit a query about equally well. A delegate that changes
 * something is chosen only where the query plainly orders one of its acts.
 */
export function chooseDelegates(
  query: string,
  read: ReadQuery,
  found: FoundIndex,
  readWords: ReadWords,
  options: ChooseOptions,
): RankedMatch {
  const { threshold, maxDelegates, targetOf, signals } = options;
  const near = signals?.get(read.text)?.near;
  const { foundByWords = new Map() } = options;
  const places = findPlaces(read.text, found, readWords, near, foundByWords);
  const score = (text: string) => {
    const own = signals?.get(text);
    const more = findPlaces(text, found, readWords, own?.near, foundByWords);
    return scoreText(text, new Set([...places, ...more]), found, readWords, own ?? {}, targetOf);
  };
  const whole = score(read.text);
  const parts = read.parts.length === 1 ? [whole] : read.parts.map(({ text }) => score(text));
  const candidates = selectCandidates([whole, ...parts], options.candidates);
  const none: RankedMatch = {
    choices: [],
    offers: [],
    tied: [],
    notAsked: [],
    untaken: [],
    candidates,
    sharpness: whole.sharpness,
  };
  const shared = (text: ScoredText, { member }: ScoredDelegate) =>
    found.index.shared(text.words, member).toSorted((a, b) => query.indexOf(a) - query.indexOf(b));

  /** The delegate that has an example with the very words. */
  const findExemplary = (ranked: readonly ScoredDelegate[], words: readonly WeighedWord[]) => {
    const contents = words.filter(isWord);
    return ranked.find(
      (one) =>
        isReader(one) &&
        contents.every((word) => found.index.has(word, one.member)) && // sorts out almost all of them
        matchesExample(one.member, words, readWords),
    );
  };
  const orders = findOrderedParts(options.said ?? query, read, whole.ranked);
  const known = findExemplary(whole.ranked, whole.words);
  if (known !== undefined && orders.size === 0) {
    const words = shared(whole, known);
    const choice = { to: known.delegate.id, query: query.trim(), score: 1, words };
    return { ...none, choices: [choice], isExample: true };
  }

  const readSecond = createSecondReader(parts, read);
  const fits = ({ score: own, estimated }: ScoredDelegate) =>
    own >= (estimated === undefined ? 1 : clearFactor) * threshold;
  const main = whole.ranked.find(isReader);
  const owners = parts.map((part, place): Owner => {
    const ordered = orders.get(place);
    if (ordered !== undefined) return ordered;
    const { asked: clause = "" } = read.parts[place] ?? {};
    const exemplary = findExemplary(part.ranked, found.index.weigh(readWords(clause), found.left));
    if (exemplary !== undefined) return exemplary;
    const best = part.ranked.find(isReader);
    const isUntaken =
      parts.length > 1 && part.words.length >= minUntakenWords && (best?.score ?? 0) < threshold;
    if (isUntaken) return undefined;
    const isLed =
      best !== undefined &&
      fits(best) &&
      best.delegate !== main?.delegate &&
      isLikely(second, readSecond(place, best.delegate, main?.delegate));
    const whose = isLed ? best : main;
    return whose !== undefined && fits(whose) ? whose : undefined;
  });
  const offers: Offer[] = [];
  const asked: Asked[] = [];
  for (const [place, owner] of owners.entries()) {
    const [best] = (parts[place] ?? whole).ranked;
    const writer =
      owner?.act === undefined && best?.delegate.effects === "write" ? best : undefined;
    if (writer !== undefined && fits(writer)) {
      if (!offers.some(({ delegate }) => delegate === writer.delegate))
        offers.push({ delegate: writer.delegate });
      if ((owner?.score ?? 0) < insteadShare * writer.score) continue;
    }
    if (owner !== undefined) asked.push({ place, owner });
  }
  const untaken =
    asked.length + offers.length === 0
      ? []
      : owners.flatMap((owner, place) =>
          owner === undefined ? (read.parts[place]?.sentence ?? []) : [],
        );
  const targets = [...new Set(asked.map(({ owner }) => owner.delegate))];
  const [first] = asked;
  if (targets.length === 1 && first !== undefined && first.owner.act === undefined) {
    const rivals = findRivals(whole, parts, first.owner, threshold);
    const equal = rivals.filter(({ score: own }) => own >= equalShare * first.owner.score);
    const all = [first.owner, ...equal].map(({ delegate }) => delegate);
    const ofTeam = all.filter(({ team }) => team !== undefined && options.teams.includes(team));
    const chosen =
      equal.length > 0 && ofTeam.length === 1
        ? [first.owner, ...equal].find(({ delegate }) => delegate === ofTeam[0])
        : undefined;
    const several = chosen === undefined && equal.length > 1 ? [first.owner, ...equal] : [];
    const led = several.length === 0 ? undefined : findMostEvidence(several, whole, found);
    if (several.length > 0 && led === undefined) return { ...none, offers, tied: all };
    const only = chosen ?? led?.[0] ?? first.owner;
    const rival = led === undefined ? rivals[0] : led[1];
    const second = chosen === undefined && maxDelegates > 1 ? rival : undefined;
    const choice = (one: ScoredDelegate): Choice => ({
      to: one.delegate.id,
      query: query.trim(),
      score: one.score,
      words: shared(whole, one),
    });
    return {
      ...none,
      offers,
      untaken,
      choices: [
        {
          ...choice(only),
          ...(chosen !== undefined && { isOfTeam: true }),
        },
        ...(second === undefined ? [] : [{ ...choice(second), isAlternative: true }]),
      ],
    };
  }

  const scoreOf = (target: Delegate) =>
    Math.max(...asked.flatMap(({ owner }) => (owner.delegate === target ? owner.score : [])));
  const kept = new Set(targets.toSorted((a, b) => scoreOf(b) - scoreOf(a)).slice(0, maxDelegates));
  return {
    ...none,
    offers,
    untaken,
    notAsked: targets.flatMap((target) => (kept.has(target) ? [] : target.id)),
    choices: targets.flatMap((target): Choice | readonly never[] => {
      const own = asked.filter(({ owner }) => owner.delegate === target);
      const [one] = own;
      if (!kept.has(target) || one === undefined) return [];
      const ownPlaces = new Set(own.map(({ place }) => place));
      return {
        to: target.id,
        query:
          targets.length === 1 ? query.trim() : refineQuery(read, (place) => ownPlaces.has(place)),
        score: scoreOf(target),
        words: [
          ...new Set(own.flatMap(({ place, owner }) => shared(parts[place] ?? whole, owner))),
        ],
        ...(one.owner.act !== undefined && { act: one.owner.act }),
      };
    }),
  };
}

type Owner = (ScoredDelegate & { readonly act?: string }) | undefined;

interface Asked {
  readonly place: number;
  readonly owner: NonNullable<Owner>;
}

/** Other delegates that only read and fit the query almost as well as the chosen one, best first. */
function findRivals(
  whole: ScoredText,
  parts: readonly ScoredText[],
  chosen: ScoredDelegate,
  threshold: number,
): readonly ScoredDelegate[] {
  if (parts.length > 1) return [];
  const own = whole.ranked.find(({ delegate }) => delegate === chosen.delegate) ?? chosen;
  const share = own.estimated === 1 ? equalShare : narrowShare;
  const least = Math.max(threshold, share * own.score);
  return whole.ranked.filter(
    ({ delegate, score }) =>
      delegate !== chosen.delegate && delegate.effects !== "write" && score >= least,
  );
}

/**
 * Of delegates that have all of a query's words, the two of which most is about them. `undefined` where more than two have
 * as much.
 */
function findMostEvidence(
  tied: readonly ScoredDelegate[],
  { words }: ScoredText,
  { index, left }: FoundIndex,
): readonly ScoredDelegate[] | undefined {
  const found = index.find(words, maxScored, left);
  const evidence = new Map(found.map((one) => [index.delegates[one.place], one.evidence]));
  const amountOf = ({ member }: ScoredDelegate) => evidence.get(member) ?? 0;
  const sorted = tied.toSorted((a, b) => amountOf(b) - amountOf(a));
  const [first, second, third] = sorted;
  if (first === undefined || second === undefined || third === undefined) return sorted;
  const isDecided = amountOf(third) < equalShare * amountOf(second);
  return isDecided ? [first, second] : undefined;
}

/** Maximum number of delegates with effects that a query is read for. */
const maxWriters = 100;

/**
 * Finds, for each part, the delegate that it plainly orders something of: one whose act is named before others, then the
 * one that fits best.
 *
 * @param said - What the user said in this turn: only that can order.
 */
function findOrderedParts(
  said: string,
  { parts }: ReadQuery,
  ranked: readonly ScoredDelegate[],
): ReadonlyMap<number, NonNullable<Owner>> {
  const writers = ranked.filter(
    ({ delegate, member }) => delegate === member && isOrderable(delegate),
  );
  const readers = ranked.filter(isReader).slice(0, maxWriters);
  const found = writers
    .slice(0, maxWriters)
    .flatMap((writer) => findOrders(said, writer.delegate).map((order) => ({ writer, order })))
    .filter(
      ({ order: { clause } }) => !readers.some(({ member }) => asksAbout(clause.text, member)),
    );
  const orders = new Map<number, NonNullable<Owner>>();
  for (const [place, { text }] of parts.entries()) {
    const own = found.filter(({ order }) => text.includes(order.clause.text));
    const best = own.find(({ order }) => order.isNamed) ?? own[0];
    if (best !== undefined) orders.set(place, { ...best.writer, act: best.order.act });
  }
  return orders;
}

/** Whether a text is a noun and an id, as in an example of a librarian that only reads: "Invoice 9936", "Is invoice 9921 paid?". */
function asksAbout(text: string, { examples = [] }: Delegate): boolean {
  const [word = "", id = "", ...more] = text.trim().toLowerCase().split(/\s+/, 4);
  if (more.length > 0 || !/\d/.test(id)) return false;
  return examples.some((example) => {
    const words = example.toLowerCase().split(/\s+/, 40);
    return words.some((one, at) => at > 0 && one === word && /\d/.test(words[at + 1] ?? ""));
  });
}

function isOrderable({ effects, acts = [] }: Delegate): boolean {
  return effects === "write" && acts.length > 0;
}

/** Whether a query has the same words as one of a delegate's examples. */
function matchesExample(
  { examples = [] }: Delegate,
  words: readonly QueryWord[],
  readWords: ReadWords,
): boolean {
  const wanted = termsIn(words);
  return wanted !== "" && examples.slice(0, 100).some((one) => termsIn(readWords(one)) === wanted);
}

/** Two words joined are no word of their own. */
function isWord({ written }: QueryWord): boolean {
  return !written.includes(" ");
}

function termsIn(words: readonly QueryWord[]): string {
  return words
    .filter(isWord)
    .map(({ term }) => term)
    .toSorted()
    .join(" ");
}

/**
 * Selects candidates from each ranking in turn, so that every subject of the query is represented.
 */
function selectCandidates(texts: readonly ScoredText[], limit: number): readonly Candidate[] {
  const best = new Map<Delegate, number>();
  for (let place = 0; place < limit && best.size < limit; place++) {
    for (const { ranked } of texts) {
      const each = ranked[place];
      if (
        each === undefined ||
        each.score === 0 ||
        (best.size >= limit && !best.has(each.delegate))
      )
        continue;
      best.set(each.delegate, Math.max(each.score, best.get(each.delegate) ?? 0));
    }
  }
  return [...best]
    .map(([delegate, score]) => ({ delegate, score }))
    .sort((a, b) => b.score - a.score);
}

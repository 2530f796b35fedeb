import type { Delegate } from "@constellation/core";
import type { Analyzer } from "@constellation/retrieval";
import type { ConceptsOf } from "./concepts.js";
import { buildDelegateIndex, type DelegateIndex } from "./delegate-index.js";
import { createDelegateReader, type DelegateTerms } from "./delegate-terms.js";

/** An index, and the places in it of those who are not among the delegates that were asked for. */
export interface FoundIndex {
  readonly index: DelegateIndex;
  readonly left: ReadonlySet<number>;
}

/** Lists whose index is kept: the same router gives another one to users with other rights. */
const maxIndexes = 4;
/** Different words after which the memory of words begins anew. */
const maxWords = 1_000_000;
/** Maximum number of delegates that a list may lack to be served by the index of a longer one. */
const maxLeft = 32;

/** Reading delegates lets others have a turn after this many milliseconds. */
const turnMs = 10;

/** Finds the index of a list of delegates, or builds it. Who is in `own` is not there. */
export type FindIndex = (
  delegates: readonly Delegate[],
  own: readonly string[],
  signal?: AbortSignal,
) => Promise<FoundIndex>;

/**
 * Keeps the indexes of lists of delegates. A router makes a new list for every hop out of the same
 * frozen objects, so a list is known by the objects in it: a comparison of 40,000 references costs
 * some tenths of a millisecond. A list that only lacks a few, such as those on the path, is served by
 * the same index, with the same result as one of its own would give. Each delegate is read once.
 */
export function createIndexCache(analyzer: Analyzer, conceptsOf: ConceptsOf): FindIndex {
  let reader = createDelegateReader(analyzer, conceptsOf);
  let known = new WeakMap<Delegate, DelegateTerms>();
  let indexes: readonly DelegateIndex[] = [];
  // A frozen list stays what it is: a router gives the same one until a librarian comes or goes.
  const lists = new WeakMap<readonly Delegate[], FoundIndex>();

  const termsOf = (delegate: Delegate): DelegateTerms => {
    // What may still change is read again every time.
    if (!Object.isFrozen(delegate)) return reader.read(delegate);
    const terms = known.get(delegate) ?? reader.read(delegate);
    known.set(delegate, terms);
    return terms;
  };

  const find = (delegates: readonly Delegate[]): FoundIndex | undefined => {
    for (const index of indexes) {
      const left = missingFrom(index.delegates, delegates);
      if (left === undefined) continue;
      if (index !== indexes[0]) indexes = [index, ...indexes.filter((other) => other !== index)];
      return { index, left };
    }
    return undefined;
  };

  const readInTurns = async (delegates: readonly Delegate[], signal?: AbortSignal) => {
    let begun = performance.now();
    for (const delegate of delegates) {
      if (known.has(delegate) || !Object.isFrozen(delegate)) continue;
      termsOf(delegate);
      if (performance.now() - begun < turnMs) continue;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      begun = performance.now();
    }
  };

  const build = (delegates: readonly Delegate[]): DelegateIndex => {
    const index = buildDelegateIndex([...delegates], delegates.map(termsOf), reader.numberOf);
    if (delegates.every((delegate) => Object.isFrozen(delegate))) {
      indexes = [index, ...indexes].slice(0, maxIndexes);
    }
    if (reader.size > maxWords) {
      // Words of those who are gone would stay for ever. The indexes there are keep their reader.
      reader = createDelegateReader(analyzer, conceptsOf);
      known = new WeakMap();
    }
    return index;
  };

  return async (delegates, own, signal) => {
    let found = lists.get(delegates) ?? find(delegates);
    if (found === undefined) {
      await readInTurns(delegates, signal);
      found = find(delegates) ?? { index: build(delegates), left: new Set() };
    }
    const isLasting =
      Object.isFrozen(delegates) && (lists.has(delegates) || indexes.includes(found.index));
    if (isLasting) lists.set(delegates, found);
    const { index, left } = found;
    const ownPlaces = own.flatMap((id) => index.placeOf(id) ?? []);
    return { index, left: new Set([...left, ...ownPlaces]) };
  };
}

/** Places of those in `all` that `some` lacks; `undefined` when `some` is not `all` without a few. */
function missingFrom(
  all: readonly Delegate[],
  some: readonly Delegate[],
): ReadonlySet<number> | undefined {
  const lacks = all.length - some.length;
  if (lacks < 0 || lacks > maxLeft) return undefined;
  const left = new Set<number>();
  let at = 0;
  for (let place = 0; place < all.length; place++) {
    if (all[place] === some[at]) at++;
    else if (left.size === lacks) return undefined;
    else left.add(place);
  }
  return left;
}

import type { Delegate } from "@constellation/core";
import type { Analyzer } from "@constellation/retrieval";
import { buildDelegateIndex, type DelegateIndex } from "./delegate-index.js";
import { createDelegateReader, type DelegateTerms } from "./delegate-terms.js";

/** An index, and the places in it of delegates that are not in the requested list. */
export interface FoundIndex {
  readonly index: DelegateIndex;
  readonly left: ReadonlySet<number>;
}

/**
 * Maximum number of lists whose index is kept: a router passes different lists to users with
 * different permissions.
 */
const maxIndexes = 4;
/** Number of different words after which the word cache is cleared. */
const maxWords = 1_000_000;
/** Maximum number of delegates that a list may lack to be served by the index of a longer one. */
const maxLeft = 32;

/** Reading delegates yields to the event loop after this many milliseconds. */
const turnMs = 10;

/** Finds the index of a list of delegates, or builds it. Delegates in `own` are left out. */
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
export function createIndexCache(analyzer: Analyzer): FindIndex {
  let reader = createDelegateReader(analyzer);
  let known = new WeakMap<Delegate, DelegateTerms>();
  let indexes: readonly DelegateIndex[] = [];
  // A frozen list never changes: a router passes the same one until a librarian is added or
  // removed.
  const lists = new WeakMap<readonly Delegate[], FoundIndex>();

  const readTerms = (delegate: Delegate): DelegateTerms => {
    // A delegate that is not frozen may change, so it is read again every time.
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
      readTerms(delegate);
      if (performance.now() - begun < turnMs) continue;
      await new Promise(setImmediate);
      signal?.throwIfAborted();
      begun = performance.now();
    }
  };

  const build = (delegates: readonly Delegate[]): DelegateIndex => {
    const index = buildDelegateIndex([...delegates], delegates.map(readTerms), reader.numberOf);
    if (delegates.every((delegate) => Object.isFrozen(delegate))) {
      indexes = [index, ...indexes].slice(0, maxIndexes);
    }
    if (reader.size > maxWords) {
      // A new reader drops the words of removed delegates. Existing indexes keep their reader.
      reader = createDelegateReader(analyzer);
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

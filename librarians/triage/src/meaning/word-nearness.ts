import type { Delegate } from "@constellation/core";
import {
  createWordCover,
  readContentWords,
  toWordVector,
  type WordCover,
} from "@constellation/nlu";
import { nearestOf } from "./nearness.js";

/** Maximum number of examples that are compared. */
const maxExamples = 12;

type WordVector = Float32Array | undefined;

/** What is written about a delegate, as it is compared. */
interface DelegateWords {
  readonly description: WordVector;
  readonly examples: readonly WordVector[];
  readonly cover: WordCover;
}

const known = new WeakMap<Delegate, DelegateWords>();

/** How near a delegate is to a text by its words: without an embedder, and at once. */
export interface WordNearness {
  /** How much of the text's words its description and examples have, or others that are near in meaning. */
  readonly coverage: number;
  /** By the vectors of their words. */
  readonly byWords: number;
}

/** Compares delegates with a text. The fewer of them have a word, the more it counts. */
export function compareText(
  text: string,
  delegates: readonly Delegate[],
): (delegate: Delegate) => WordNearness {
  const vector = toWordVector(text);
  const covers = delegates.map((each) => readDelegate(each).cover);
  const words = readContentWords(text).map((word) => {
    const having = covers.reduce((sum, cover) => sum + cover.likenessOf(word), 0);
    return { ...word, weight: word.weight * Math.log(1 + covers.length / (1 + having)) };
  });
  return (delegate) => {
    const { description, examples, cover } = readDelegate(delegate);
    const { best, together } = cover.cover(words);
    return {
      coverage: (best + together) / 2,
      byWords: nearestOf(
        cosine(vector, description),
        examples.map((one) => cosine(vector, one)),
      ),
    };
  };
}

/** Reads what is written about a delegate; kept. */
export function readDelegate(delegate: Delegate): DelegateWords {
  // A delegate that is not frozen may change.
  const before = Object.isFrozen(delegate) ? known.get(delegate) : undefined;
  if (before !== undefined) return before;
  const { id, name = "", description = "", capabilities = [] } = delegate;
  const examples = (delegate.examples ?? []).slice(0, maxExamples);
  const about = `${capabilities.join(" ")} ${description}`;
  const own = {
    description: toWordVector(description === "" ? `${id} ${name}` : about),
    examples: examples.map(toWordVector),
    cover: createWordCover([`${id} ${name} ${about}`, ...examples]),
  };
  known.set(delegate, own);
  return own;
}

function cosine(a: WordVector, b: WordVector): number {
  if (a === undefined || b === undefined) return 0;
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

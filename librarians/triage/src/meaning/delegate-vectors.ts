import type { Delegate } from "@constellation/core";
import { type Embedder, embedChecked } from "@constellation/retrieval";
import { nearestOf } from "./nearness.js";

/** Vectors of one delegate, one after another, each number as a byte: 127 is 1. */
export type DelegateVectors = Int8Array;

/** Maximum number of phrases and of examples of one delegate, and of characters of a text. */
const maxPhrases = 6;
const maxExamples = 12;
const maxTextLength = 500;
const minPhraseLength = 3;

/** What a description lists: a question is mostly about one of it. */
function phrasesIn(description: string): readonly string[] {
  return description
    .slice(0, maxTextLength)
    .split(/[,.;:]|\b(?:and|or)\b/)
    .map((phrase) => phrase.trim())
    .filter(({ length }) => length >= minPhraseLength)
    .slice(0, maxPhrases);
}

/** The texts of a delegate to embed: description first, then its phrases, then examples. */
function textsToEmbed({ id, name, description = "", examples = [] }: Delegate): readonly string[] {
  const own = description === "" ? (name ?? id) : `${name ?? id}: ${description}`;
  const texts = [own, ...phrasesIn(description), ...examples.slice(0, maxExamples)];
  return texts.map((text) => text.slice(0, maxTextLength));
}

/** How near a delegate is to a text in meaning. */
export function compareVectors(
  vector: Float32Array,
  own: DelegateVectors,
  { examples: given = [] }: Delegate,
): number {
  const size = vector.length;
  const cosines: number[] = [];
  for (let from = 0; from < own.length; from += size) cosines.push(product(vector, own, from));
  const [whole = 0, ...phrases] = cosines;
  const examples = phrases.splice(phrases.length - Math.min(given.length, maxExamples));
  const described = phrases.length === 0 ? whole : (2 * whole + Math.max(...phrases)) / 3;
  return nearestOf(described, examples);
}

/** Vectors of delegates, computed in the background. */
export interface VectorStore {
  /**
   * Embeds the delegates of a list that have no vectors yet, once for each list.
   *
   * @returns Resolves when they have them, and rejects when the embedder fails; the next call after a pause
   *   then tries again.
   */
  prepare(delegates: readonly Delegate[]): Promise<void>;
  vectorsOf(delegate: Delegate): DelegateVectors | undefined;
  /** Stops embedding. */
  close(): void;
}

/** Number of delegates in one call of the embedder: few, so that a query can run in between. */
const batchSize = 2;
/** Pause after a failure, in milliseconds. */
const pauseMs = 30_000;

/** Creates an empty store. A delegate that may still change (not frozen) gets no vectors. */
export function createVectorStore(embedder: Embedder): VectorStore {
  const known = new WeakMap<Delegate, DelegateVectors>();
  const ends = new AbortController();
  const prepared = new WeakMap<readonly Delegate[], Promise<void>>();
  let last: Promise<void> = Promise.resolve();
  let failedAt = Number.NEGATIVE_INFINITY;

  const embed = async (delegates: readonly Delegate[]) => {
    const texts = delegates.map(textsToEmbed);
    const vectors = await embedChecked(embedder, texts.flat(), ends.signal, true);
    let at = 0;
    delegates.forEach((delegate, place) => {
      const count = texts[place]?.length ?? 0;
      known.set(delegate, packed(vectors.slice(at, at + count)));
      at += count;
    });
  };
  const work = async (list: readonly Delegate[]) => {
    if (performance.now() - failedAt < pauseMs) throw new Error("The embedder has failed.");
    let batch: Delegate[] = [];
    for (const delegate of list) {
      if (known.has(delegate) || !Object.isFrozen(delegate)) continue;
      batch.push(delegate);
      if (batch.length < batchSize) continue;
      await embed(batch);
      batch = [];
    }
    if (batch.length > 0) await embed(batch);
  };

  return {
    prepare(delegates) {
      const begun = prepared.get(delegates);
      if (begun !== undefined) return begun;
      // One list after the other.
      const own = last.then(() => work(delegates));
      prepared.set(delegates, own);
      last = own.catch(() => {
        if (performance.now() - failedAt >= pauseMs) failedAt = performance.now();
        prepared.delete(delegates);
      });
      return own;
    },
    vectorsOf: (delegate) => known.get(delegate),
    close: () => ends.abort(new Error("The librarian was closed.")),
  };
}

/** Dot product of a vector with the packed one that begins at a place of others: the cosine of unit vectors. */
function product(vector: Float32Array, others: DelegateVectors, from: number): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (others[from + at] ?? 0);
  return sum / 127;
}

/** Puts vectors one after another, each number as a byte: 127 is 1. */
function packed(vectors: readonly Float32Array[]): DelegateVectors {
  const all = new Int8Array(vectors.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const vector of vectors) for (const each of vector) all[at++] = Math.round(127 * each);
  return all;
}

import { type Embedder, embedChecked } from "@constellation/retrieval";
import type { DelegateIndex } from "../ranked/delegate-index.js";
import { createVectorStore, type DelegateVectors } from "./delegate-vectors.js";
import type { Nearness } from "./nearness.js";
import { createSketch, type Sketch } from "./sketch.js";

/** Compares texts with delegates by meaning. */
export interface MeaningReader {
  /**
   * How near the delegates of an index are to each text. Who has no vectors yet is left
   * out.
   *
   * @returns One for each text; rejects with an `EmbedderError` or the signal's reason.
   */
  compare(
    texts: readonly string[],
    index: DelegateIndex,
    signal: AbortSignal,
  ): Promise<readonly Nearness[]>;
  /** Has the vectors of an index's delegates made, in the background. */
  prepare(index: DelegateIndex): void;
  /** Whether every delegate of an index has its vectors. */
  isReady(index: DelegateIndex): boolean;
  close(): void;
}

/** Delegates that are compared exactly; of more, the nearest by their sketches. */
const maxCompared = 400;

/** Creates the reader over an embedder. */
export function createMeaningReader(embedder: Embedder): MeaningReader {
  const store = createVectorStore(embedder);
  const sketches = new WeakMap<DelegateIndex, Sketch>();
  const ready = new WeakSet<DelegateIndex>();

  const isReady = (index: DelegateIndex) => {
    if (ready.has(index)) return true;
    const all = index.delegates.filter((each) => Object.isFrozen(each));
    const isWhole = store.countOf(all) === all.length;
    if (isWhole) ready.add(index);
    return isWhole;
  };
  const placesFor = (index: DelegateIndex, vector: Float32Array): Iterable<number> => {
    if (index.delegates.length <= maxCompared) return index.delegates.keys();
    if (!isReady(index)) return [];
    const sketch =
      sketches.get(index) ?? createSketch(index.delegates, store.vectorsOf, vector.length);
    sketches.set(index, sketch);
    return sketch.nearest(vector, maxCompared);
  };

  return {
    prepare: (index) => store.prepare(index.delegates),
    isReady,
    async compare(texts, index, signal) {
      const vectors = await embedChecked(embedder, texts, signal);
      return vectors.map((vector) => {
        const near = new Map<number, number>();
        for (const place of placesFor(index, vector)) {
          const delegate = index.delegates[place];
          const own = delegate && store.vectorsOf(delegate);
          if (own !== undefined) near.set(place, nearnessOf(vector, own));
        }
        return near;
      });
    },
    close: () => store.close(),
  };
}

/** Mean cosine of the two nearest texts: one alone may be near by chance. */
function nearnessOf(vector: Float32Array, own: DelegateVectors): number {
  let first = -1;
  let second = -1;
  for (let from = 0; from < own.length; from += vector.length) {
    let product = 0;
    for (let at = 0; at < vector.length; at++) product += (own[from + at] ?? 0) * (vector[at] ?? 0);
    const cosine = product / 127;
    if (cosine > first) [first, second] = [cosine, first];
    else if (cosine > second) second = cosine;
  }
  return second === -1 ? first : (first + second) / 2;
}

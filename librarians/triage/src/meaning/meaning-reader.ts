import { type Embedder, embedChecked } from "@constellation/retrieval";
import type { DelegateIndex } from "../ranked/delegate-index.js";
import { createVectorStore } from "./delegate-vectors.js";
import { createEverydayVectors } from "./everyday-vectors.js";
import type { Nearness } from "./nearness.js";
import { createSketch, type Sketch } from "./sketch.js";
import { type DelegateVectors, product } from "./vectors.js";

/** Compares texts with delegates by meaning. */
export interface MeaningReader {
  /**
   * How near the delegates of an index are to a query and to each of its parts.
   *
   * @param texts - The query, then its parts.
   * @returns One for each text; rejects with an `EmbedderError` or the signal's reason.
   */
  compare(
    texts: readonly string[],
    index: DelegateIndex,
    signal: AbortSignal,
  ): Promise<readonly Nearness[]>;
  /** Has the vectors of an index's delegates made, in the background. */
  prepare(index: DelegateIndex): void;
  /** Whether every delegate of an index has its vectors, and they were compared with everyday subjects. */
  isReady(index: DelegateIndex): boolean;
  close(): void;
}

/** Delegates that are compared exactly; of more, those with the nearest texts by their sketches. */
const maxCompared = 400;
/** Maximum number of texts that sketches find. */
const maxSketched = 100;
/** How many everyday texts a text is compared with: those nearest to it. */
const maxBeside = 5;

/** Creates the reader over an embedder. */
export function createMeaningReader(embedder: Embedder): MeaningReader {
  const store = createVectorStore(embedder);
  const everyday = createEverydayVectors(store);
  const sketches = new WeakMap<DelegateIndex, Sketch>();
  const beside = new WeakMap<DelegateIndex, readonly DelegateVectors[]>();
  const begun = new WeakSet<DelegateIndex>();

  const vectorsAt = (index: DelegateIndex, place: number): DelegateVectors | undefined => {
    const delegate = index.delegates[place];
    return delegate && store.vectorsOf(delegate);
  };
  /** Places of those who may be near a query, and near each of its parts. */
  const placesFor = (
    index: DelegateIndex,
    vectors: readonly ArrayLike<number>[],
  ): readonly Iterable<number>[] => {
    const [query, ...parts] = vectors;
    if (query === undefined) return [];
    const { delegates } = index;
    if (delegates.length <= maxCompared) return vectors.map(() => delegates.keys());
    const sketch = sketches.get(index) ?? createSketch(delegates, store.vectorsOf, query.length);
    sketches.set(index, sketch);
    return sketch.nearest([query, ...parts], maxSketched);
  };
  function* vectorsNear(index: DelegateIndex, text: DelegateVectors): Generator<DelegateVectors> {
    const [places = []] = placesFor(index, [text]);
    for (const place of places) yield vectorsAt(index, place) ?? new Int8Array();
  }
  /** Begins to find the everyday subjects that no delegate covers, when all vectors are made. */
  const isReady = (index: DelegateIndex) => {
    if (beside.has(index)) return true;
    if (begun.has(index) || !everyday.isReady()) return false;
    const all = index.delegates.filter((each) => Object.isFrozen(each));
    if (store.countOf(all) < all.length) return false;
    begun.add(index);
    everyday
      .besides((text) => vectorsNear(index, text))
      .then((found) => beside.set(index, found))
      .catch(() => begun.delete(index)); // tried again with the next query
    return false;
  };

  return {
    prepare(index) {
      everyday.prepare();
      store.prepare(index.delegates);
    },
    isReady,
    async compare(texts, index, signal) {
      const vectors = await embedChecked(embedder, texts, signal);
      if (!isReady(index)) return vectors.map(() => nothing);
      const others = beside.get(index) ?? [];
      const near = placesFor(index, vectors);
      return vectors.map((vector, at): Nearness => {
        const everydayCosine = meanOfBest(
          others.map((one) => product(vector, one, 0)),
          maxBeside,
        );
        return {
          places: near[at] ?? [],
          of: (place) => {
            const own = vectorsAt(index, place);
            return own && cosineTo(vector, own) - everydayCosine;
          },
        };
      });
    },
    close: () => store.close(),
  };
}

const nothing: Nearness = { places: [], of: () => undefined };

/** Mean cosine of the description and the two nearest examples: one alone may be near by chance. */
function cosineTo(vector: Float32Array, own: DelegateVectors): number {
  const description = product(vector, own, 0);
  let [first, second] = [-1, -1];
  for (let from = vector.length; from < own.length; from += vector.length) {
    const cosine = product(vector, own, from);
    if (cosine > first) [first, second] = [cosine, first];
    else if (cosine > second) second = cosine;
  }
  if (own.length < 2 * vector.length) first = description;
  if (own.length < 3 * vector.length) second = first;
  return (description + first + second) / 3;
}

/** Mean of the so many largest; 0 of none. */
function meanOfBest(all: readonly number[], count: number): number {
  const best = all.toSorted((a, b) => b - a).slice(0, count);
  return best.reduce((sum, each) => sum + each, 0) / Math.max(1, best.length);
}

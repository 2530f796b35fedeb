import { type Embedder, embedChecked } from "@constellation/retrieval";
import type { DelegateIndex } from "../ranked/delegate-index.js";
import { compareVectors, createVectorStore } from "./delegate-vectors.js";
import type { Nearness } from "./nearness.js";
import { createSketch, type Sketch } from "./sketch.js";

/** Compares texts with delegates by meaning. */
export interface MeaningReader {
  /** Id of the embedder. */
  readonly embedder: string;
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
  /**
   * Computes the vectors of an index's delegates in the background.
   *
   * @returns Resolves when that is done, and rejects when the embedder fails; a later call tries again.
   */
  prepare(index: DelegateIndex): Promise<void>;
  /** Whether `prepare` has resolved for an index. */
  isReady(index: DelegateIndex): boolean;
  close(): void;
}

/**
 * Maximum number of delegates that are compared exactly; among more, those whose sketches are
 * nearest.
 */
const maxCompared = 400;
/** Maximum number of texts that sketches find. */
const maxSketched = 100;

/** Creates the reader over an embedder. */
export function createMeaningReader(embedder: Embedder): MeaningReader {
  const store = createVectorStore(embedder);
  const sketches = new WeakMap<DelegateIndex, Sketch>();
  const ready = new WeakSet<DelegateIndex>();
  const preparing = new WeakMap<DelegateIndex, Promise<void>>();

  /** Finds the places of delegates that may be near a query, and near each of its parts. */
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
  const prepare = async (index: DelegateIndex) => {
    await store.prepare(index.delegates);
    ready.add(index);
  };

  return {
    embedder: embedder.id,
    prepare(index) {
      const begun = preparing.get(index) ?? prepare(index);
      preparing.set(index, begun);
      begun.catch(() => preparing.delete(index));
      return begun;
    },
    isReady: (index) => ready.has(index),
    async compare(texts, index, signal) {
      const vectors = await embedChecked(embedder, texts, signal);
      const near = ready.has(index) ? placesFor(index, vectors) : [];
      return vectors.map(
        (vector, at): Nearness => ({
          vector,
          places: near[at] ?? [],
          of: (place) => {
            const delegate = index.delegates[place];
            const own = delegate && store.vectorsOf(delegate);
            return own && compareVectors(vector, own, delegate);
          },
        }),
      );
    },
    close: () => store.close(),
  };
}

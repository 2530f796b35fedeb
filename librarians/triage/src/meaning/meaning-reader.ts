import type { Delegate } from "@constellation/core";
import { type Embedder, embedChecked } from "@constellation/retrieval";
import type { DelegateIndex } from "../ranked/delegate-index.js";
import { createVectorStore, type DelegateVectors } from "./delegate-vectors.js";
import { everydaySubjects } from "./everyday-subjects.js";
import type { Nearness } from "./nearness.js";
import { createSketch, type Sketch } from "./sketch.js";

/** Compares texts with delegates by meaning. */
export interface MeaningReader {
  /**
   * How near the delegates of an index are to each text.
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

/** Delegates that are compared exactly; of more, those with the nearest texts by their sketches. */
const maxCompared = 400;
/** Maximum number of texts that sketches find, about. */
const maxSketched = 100;
/** How much nearness to an everyday subject counts against a text. */
const subjectWeight = 1.25;
/** Cosine at which a delegate covers an everyday subject. */
const coveredCosine = 0.45;

/** The everyday subjects as delegates: their vectors are made and kept like those of others. */
const subjects: readonly Delegate[] = everydaySubjects.map((id) => Object.freeze({ id }));

/** Creates the reader over an embedder. */
export function createMeaningReader(embedder: Embedder): MeaningReader {
  const store = createVectorStore(embedder);
  const sketches = new WeakMap<DelegateIndex, Sketch>();
  const ready = new WeakSet<DelegateIndex>();
  const uncovered = new WeakMap<DelegateIndex, readonly Int8Array[]>();

  const isReady = (index: DelegateIndex) => {
    if (ready.has(index)) return true;
    const all = index.delegates.filter((each) => Object.isFrozen(each));
    const isWhole =
      store.countOf(all) === all.length && store.countOf(subjects) === subjects.length;
    if (isWhole) ready.add(index);
    return isWhole;
  };
  const placesFor = (index: DelegateIndex, vector: ArrayLike<number>): Iterable<number> => {
    if (index.delegates.length <= maxCompared) return index.delegates.keys();
    const sketch =
      sketches.get(index) ?? createSketch(index.delegates, store.vectorsOf, vector.length);
    sketches.set(index, sketch);
    return sketch.nearest(vector, maxSketched);
  };
  const vectorsAt = (index: DelegateIndex, place: number): DelegateVectors | undefined => {
    const delegate = index.delegates[place];
    return delegate && store.vectorsOf(delegate);
  };
  /** The everyday subjects that no delegate of an index covers. */
  const subjectsBeside = (index: DelegateIndex): readonly Int8Array[] => {
    const known = uncovered.get(index);
    if (known !== undefined) return known;
    const found = subjects
      .flatMap((each) => store.vectorsOf(each) ?? [])
      .filter((subject) => {
        const vector = Float32Array.from(subject, (each) => each / 127);
        for (const place of placesFor(index, subject)) {
          const own = vectorsAt(index, place) ?? new Int8Array();
          for (let from = 0; from < own.length; from += subject.length) {
            if (product(vector, own, from) >= coveredCosine) return false;
          }
        }
        return true;
      });
    uncovered.set(index, found);
    return found;
  };

  return {
    prepare(index) {
      store.prepare(subjects);
      store.prepare(index.delegates);
    },
    isReady,
    async compare(texts, index, signal) {
      const vectors = await embedChecked(embedder, texts, signal);
      if (!isReady(index)) return vectors.map(() => nothing);
      const beside = subjectsBeside(index);
      return vectors.map((vector): Nearness => {
        const distance = beside.reduce((most, one) => Math.max(most, product(vector, one, 0)), 0);
        return {
          places: placesFor(index, vector),
          of: (place) => {
            const own = vectorsAt(index, place);
            return own && cosineTo(vector, own) - subjectWeight * distance;
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

/** Cosine with the vector that begins at a place of others. */
function product(vector: Float32Array, others: Int8Array, from: number): number {
  let sum = 0;
  for (let at = 0; at < vector.length; at++) sum += (vector[at] ?? 0) * (others[from + at] ?? 0);
  return sum / 127;
}

import type { Delegate } from "@constellation/core";
import { type Embedder, embedChecked } from "@constellation/retrieval";
import { type DelegateVectors, packed } from "./vectors.js";

/** Maximum number of texts of one delegate, and of characters of one of them. */
const maxTexts = 13;
const maxTextLength = 500;

/** What a delegate says about itself, as texts to be embedded: description first, then examples. */
function textsOf({ id, name, description = "", examples = [] }: Delegate): readonly string[] {
  const own = description === "" ? (name ?? id) : `${name ?? id}: ${description}`;
  const texts = [own, ...examples.slice(0, maxTexts - 1)];
  return texts.map((text) => text.slice(0, maxTextLength));
}

/** Vectors of delegates, made in the background. */
export interface VectorStore {
  /** Has those of a list embedded that have no vectors yet. Does nothing for a list it was given before. */
  prepare(delegates: readonly Delegate[]): void;
  vectorsOf(delegate: Delegate): DelegateVectors | undefined;
  /** How many of a list have vectors. */
  countOf(delegates: readonly Delegate[]): number;
  /** Ends what is under way. */
  close(): void;
}

/** Delegates of one call of the embedder: few, so that a query can go between. */
const batchSize = 2;
/** Pause after a failure, in milliseconds. */
const pauseMs = 30_000;

/** Creates an empty store. A delegate that may still change (not frozen) gets no vectors. */
export function createVectorStore(embedder: Embedder): VectorStore {
  const known = new WeakMap<Delegate, DelegateVectors>();
  const ends = new AbortController();
  let prepared = new WeakSet<readonly Delegate[]>();
  let queue: (readonly Delegate[])[] = [];
  let isWorking = false;
  let failedAt = Number.NEGATIVE_INFINITY;

  const embed = async (delegates: readonly Delegate[]) => {
    const texts = delegates.map(textsOf);
    const vectors = await embedChecked(embedder, texts.flat(), ends.signal);
    let at = 0;
    delegates.forEach((delegate, place) => {
      const count = texts[place]?.length ?? 0;
      known.set(delegate, packed(vectors.slice(at, at + count)));
      at += count;
    });
  };
  const work = async () => {
    for (let list = queue.shift(); list !== undefined; list = queue.shift()) {
      let batch: Delegate[] = [];
      for (const delegate of list) {
        if (known.has(delegate) || !Object.isFrozen(delegate)) continue;
        batch.push(delegate);
        if (batch.length < batchSize) continue;
        await embed(batch);
        batch = [];
      }
      if (batch.length > 0) await embed(batch);
    }
  };

  return {
    prepare(delegates) {
      if (prepared.has(delegates) || ends.signal.aborted) return;
      if (performance.now() - failedAt < pauseMs) return;
      prepared.add(delegates);
      queue.push(delegates);
      if (isWorking) return;
      isWorking = true;
      work()
        .catch(() => {
          failedAt = performance.now(); // tried again after a pause
          prepared = new WeakSet();
          queue = [];
        })
        .finally(() => {
          isWorking = false;
        });
    },
    vectorsOf: (delegate) => known.get(delegate),
    countOf: (delegates) =>
      delegates.reduce((count, delegate) => count + (known.has(delegate) ? 1 : 0), 0),
    close: () => ends.abort(new Error("The librarian was closed.")),
  };
}

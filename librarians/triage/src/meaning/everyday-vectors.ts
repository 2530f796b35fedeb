import type { Delegate } from "@constellation/core";
import type { VectorStore } from "./delegate-vectors.js";
import { readEveryday } from "./everyday.js";
import { type DelegateVectors, product, unpacked } from "./vectors.js";

/** Vectors of everyday texts. */
export interface EverydayVectors {
  /** Has them made, in the background. */
  prepare(): void;
  isReady(): boolean;
  /**
   * Those of subjects that no librarian covers, found in turns.
   *
   * @param nearTo - Vectors of the librarians that may be near a text.
   */
  besides(
    nearTo: (text: DelegateVectors) => Iterable<DelegateVectors>,
  ): Promise<readonly DelegateVectors[]>;
}

/** Cosine at which a librarian covers an everyday subject by one of its texts. */
const coveredCosine = 0.4;
/** Comparing lets others have a turn after this many milliseconds. */
const turnMs = 5;

/** Creates them. They are kept in the store like those of librarians. */
export function createEverydayVectors(store: VectorStore): EverydayVectors {
  const subjects = readEveryday().map((texts) =>
    texts.map((id): Delegate => Object.freeze({ id })),
  );
  const all = subjects.flat();

  return {
    prepare: () => store.prepare(all),
    isReady: () => store.countOf(all) === all.length,
    async besides(nearTo) {
      await new Promise(setImmediate); // the query that begins it does not wait
      let begun = performance.now();
      const isCovered = (text: DelegateVectors) => {
        const vector = unpacked(text);
        for (const own of nearTo(text)) {
          for (let from = 0; from < own.length; from += text.length) {
            if (product(vector, own, from) >= coveredCosine) return true;
          }
        }
        return false;
      };
      const found: DelegateVectors[] = [];
      for (const texts of subjects) {
        const vectors = texts.flatMap((text) => store.vectorsOf(text) ?? []);
        if (!vectors.some(isCovered)) found.push(...vectors);
        if (performance.now() - begun < turnMs) continue;
        await new Promise(setImmediate);
        begun = performance.now();
      }
      return found;
    },
  };
}

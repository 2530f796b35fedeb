import { type Embedder, embedChecked } from "@constellation/retrieval";
import { storeLimits } from "./check-calls.js";

/** Vectors of queries. An embedder that fails costs the ranking by vectors, not the search. */
export interface QueryVectors {
  /** What the embedder failed with last; absent when it did not, or has answered since. */
  readonly problem: string | undefined;
  /** The query's vector; undefined without an embedder, and when it failed. Rejects only with the signal's reason. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array | undefined>;
}

/** Creates the vectors of one embedder's queries. */
export function createQueryVectors(embedder: Embedder | undefined): QueryVectors {
  let problem: string | undefined;
  return {
    get problem() {
      return problem;
    },
    async embedQuery(text, signal) {
      if (embedder === undefined) return undefined;
      try {
        const [vector] = await embedTexts(
          embedder,
          [text.slice(0, storeLimits.queryLength)],
          signal,
        );
        problem = undefined;
        return vector;
      } catch (thrown) {
        signal?.throwIfAborted();
        problem = thrown instanceof Error ? thrown.message : "The embedder failed.";
        return undefined;
      }
    },
  };
}

/** Texts that go to an embedder in one call. */
const maxTextsPerCall = 64;

/**
 * Asks for unit vectors, some at a time.
 *
 * @returns One per text, in the same order.
 * @throws {EmbedderError} When the embedder fails or gives something else; the signal's reason when
 *   it has aborted.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += maxTextsPerCall) {
    const part = texts.slice(from, from + maxTextsPerCall);
    vectors.push(...(await embedChecked(embedder, part, signal)));
  }
  return vectors;
}

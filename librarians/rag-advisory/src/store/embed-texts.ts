import { type Embedder, embedChecked } from "@constellation/retrieval";

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

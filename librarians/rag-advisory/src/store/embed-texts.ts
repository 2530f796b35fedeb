import { type Embedder, EmbedderError } from "@constellation/retrieval";

/** Texts that go to an embedder in one call. */
const perCall = 64;

/**
 * Asks for vectors, some at a time, and makes them unit vectors.
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
  const units: Float32Array[] = [];
  for (let from = 0; from < texts.length; from += perCall) {
    signal?.throwIfAborted();
    const part = texts.slice(from, from + perCall);
    const vectors = await askEmbedder(embedder, part, signal);
    if (!Array.isArray(vectors) || vectors.length !== part.length) {
      throw new EmbedderError(`The embedder "${embedder.id}" did not give one vector per text.`);
    }
    for (const vector of vectors) units.push(unitOf(vector, embedder));
  }
  return units;
}

async function askEmbedder(
  embedder: Embedder,
  texts: readonly string[],
  signal: AbortSignal | undefined,
): Promise<unknown> {
  try {
    return await embedder.embed(texts, signal === undefined ? {} : { signal });
  } catch (thrown) {
    signal?.throwIfAborted();
    if (thrown instanceof EmbedderError) throw thrown;
    // What somebody else's client says may hold a key or the texts.
    throw new EmbedderError(`The embedder "${embedder.id}" failed.`, { cause: thrown });
  }
}

function unitOf(vector: unknown, { id, dimensions }: Embedder): Float32Array {
  const isList = Array.isArray(vector) || vector instanceof Float32Array;
  if (!isList || vector.length !== dimensions) {
    throw new EmbedderError(
      `The embedder "${id}" gave a vector that has not ${dimensions} numbers.`,
    );
  }
  const unit = Float32Array.from(vector);
  let square = 0;
  for (const each of unit) square += each * each;
  if (!Number.isFinite(square)) {
    throw new EmbedderError(`The embedder "${id}" gave a vector with a value that is no number.`);
  }
  const length = Math.sqrt(square) || 1;
  return unit.map((each) => each / length);
}

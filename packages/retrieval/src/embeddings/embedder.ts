/** Turns texts into vectors. Optional: without one, search is by words alone. */
export interface Embedder {
  /** Names model and version: vectors of another id are not used. */
  readonly id: string;
  /** Length of its vectors. Integer, 1 or more. */
  readonly dimensions: number;
  /**
   * One vector per text, in the same order; their length does not matter. Rejects when it fails,
   * and with the signal's reason.
   */
  embed(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly (Float32Array | readonly number[])[]>;
}

/** An embedder failed, or gave something that is not one vector per text. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}

/**
 * Asks for vectors and checks them.
 *
 * @throws {EmbedderError} When the embedder fails; the signal's reason when it has aborted.
 */
export async function embedChecked(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted();
  if (texts.length === 0) return [];
  let vectors: unknown;
  try {
    vectors = await embedder.embed(texts, signal === undefined ? {} : { signal });
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    if (thrown instanceof EmbedderError) throw thrown;
    // What the client of another party says may hold a key or the texts.
    throw new EmbedderError(`The embedder "${embedder.id}" failed.`, { cause: thrown });
  }
  if (!Array.isArray(vectors) || vectors.length !== texts.length) {
    throw new EmbedderError(`The embedder "${embedder.id}" did not give one vector per text.`);
  }
  return vectors.map((vector) => unitVector(vector, embedder));
}

function unitVector(vector: unknown, { id, dimensions }: Embedder): Float32Array {
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
    throw new EmbedderError(
      `The embedder "${id}" gave a vector with a value that is not a number.`,
    );
  }
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < unit.length; at++) unit[at] = (unit[at] ?? 0) / length;
  return unit;
}

/** Turns texts into vectors. Optional: without one, search is by words alone. */
export interface Embedder {
  /** Identifies model and version; vectors of another id are not used. */
  readonly id: string;
  /** Length of its vectors. Integer, 1 or more. */
  readonly dimensions: number;
  /**
   * Returns one vector per text, in the same order; they need not be normalised. Rejects when it
   * fails,
   * and with the signal's reason.
   *
   * @param options - `isKept`: the texts are asked for again at each start, so that their vectors are worth keeping between
   *   runs. Never set for queries.
   */
  embed(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal; readonly isKept?: boolean },
  ): Promise<readonly (Float32Array | readonly number[])[]>;
}

/** Thrown when an embedder fails, or does not return one vector per text. */
export class EmbedderError extends Error {
  override readonly name = "EmbedderError";
}

/** Calls an embedder and checks its vectors.
 *
 * @throws {EmbedderError} When the embedder fails; the signal's reason when it has aborted.
 */
export async function embedChecked(
  embedder: Embedder,
  texts: readonly string[],
  signal?: AbortSignal,
  isKept = false,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted();
  if (texts.length === 0) return [];
  let vectors: unknown;
  try {
    vectors = await embedder.embed(texts, {
      ...(signal !== undefined && { signal }),
      ...(isKept && { isKept }),
    });
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    if (thrown instanceof EmbedderError) throw thrown;
    // The error message of a third-party client may contain a key or the texts.
    throw new EmbedderError(`The embedder "${embedder.id}" failed.`, { cause: thrown });
  }
  if (!Array.isArray(vectors) || vectors.length !== texts.length) {
    throw new EmbedderError(`The embedder "${embedder.id}" did not return one vector per text.`);
  }
  return vectors.map((vector) => unitVector(vector, embedder));
}

function unitVector(vector: unknown, { id, dimensions }: Embedder): Float32Array {
  const isList = Array.isArray(vector) || vector instanceof Float32Array;
  if (!isList || vector.length !== dimensions) {
    throw new EmbedderError(
      `The embedder "${id}" returned a vector that does not have ${dimensions} numbers.`,
    );
  }
  const unit = Float32Array.from(vector);
  let square = 0;
  for (const each of unit) square += each * each;
  if (!Number.isFinite(square)) {
    throw new EmbedderError(
      `The embedder "${id}" returned a vector with a value that is not a number.`,
    );
  }
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < unit.length; at++) unit[at] = (unit[at] ?? 0) / length;
  return unit;
}

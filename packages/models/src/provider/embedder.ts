import { optionField, parseOptions } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import { isRecord } from "@constellation/core/checks";
import { z } from "zod";
import type { EmbeddingModel } from "./spec.js";

/** Options for `createModelEmbedder`. */
export interface ModelEmbedderOptions {
  /** Length of the model's vectors. Integer, 1 or more. */
  readonly dimensions: number;
  /**
   * Maximum number of texts of one request, where the model has no lower maximum. Integer, 1 or more.
   *
   * @default 100
   */
  readonly batchSize?: number | undefined;
}

/** The `Embedder` of `@constellation/retrieval`. */
export interface ModelEmbedder {
  /** Provider and id of the model, and the length of its vectors. */
  readonly id: string;
  readonly dimensions: number;
  /** One vector per text, in the same order. Rejects when the model fails, and with the signal's reason. */
  embed(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly (readonly number[])[]>;
}

const optionsSchema = z.strictObject({
  dimensions: optionField.integer(1),
  batchSize: optionField.integer(1).optional(),
});

/**
 * Creates an embedder from an embedding model of the AI SDK. It sends nothing before its first call, and needs no closing.
 *
 * @throws TypeError or RangeError at once for a value that is not a model, or a wrong option.
 */
export function createModelEmbedder(
  model: EmbeddingModel,
  options: ModelEmbedderOptions,
): ModelEmbedder {
  if (!isRecord(model) || typeof model.doEmbed !== "function") {
    throw new TypeError("model: expected an embedding model of the AI SDK.");
  }
  const { dimensions, batchSize = 100 } = parseOptions(optionsSchema, options);
  const embedBatch = model.doEmbed.bind(model) as (call: object) => PromiseLike<unknown>; // of every version

  return {
    id: `${model.provider}/${model.modelId}/${dimensions}`,
    dimensions,
    async embed(texts, { signal } = {}) {
      const size = Math.min(batchSize, (await model.maxEmbeddingsPerCall) ?? batchSize);
      const vectors: (readonly number[])[] = [];
      for (let at = 0; at < texts.length; at += size) {
        signal?.throwIfAborted();
        const values = texts.slice(at, at + size);
        const result = await embedBatch({
          ...{ values, headers: {} },
          ...(signal !== undefined && { abortSignal: signal }),
        });
        const { embeddings } = isRecord(result) ? result : {};
        if (!Array.isArray(embeddings) || embeddings.length !== values.length) {
          throw new MeshError("AI_UNAVAILABLE", "The model did not return one vector per text.");
        }
        vectors.push(...(embeddings as readonly (readonly number[])[])); // the retrieval package checks each vector
      }
      return vectors;
    },
  };
}

import { type Embedder, EmbedderError } from "./embedder.js";

/** Options for {@link createHttpEmbedder}. */
export interface HttpEmbedderOptions {
  /** URL of the endpoint: `https://host/v1/embeddings`. */
  readonly url: string;
  readonly model: string;
  /** Length of its vectors. Integer, 1 or more. */
  readonly dimensions: number;
  /** Sent as a bearer token; never included in messages. */
  readonly apiKey?: string;
  /**
   * Maximum number of texts in one call. Integer, 1 or more.
   *
   * @default 64
   */
  readonly batchSize?: number;
  /**
   * Maximum time for one call, in milliseconds: 1 to 2147483647.
   *
   * @default 30_000
   */
  readonly timeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates an embedder over HTTP, in OpenAI's format: `{ model, input }` in, `data[].embedding` out.
 *
 * Calls run one after another and are not retried. Rejects with {@link EmbedderError}, whose
 * message has the status and no part of the request.
 *
 * @throws {TypeError} For an invalid URL.
 * @throws {RangeError} For numbers outside their ranges.
 */
export function createHttpEmbedder(options: HttpEmbedderOptions): Embedder {
  const { model, dimensions, apiKey, batchSize = 64, timeoutMs = 30_000 } = options;
  const url = new URL(options.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new TypeError(`url: expected http or https, got ${url.protocol}`);
  }
  for (const [name, value] of Object.entries({ dimensions, batchSize, timeoutMs })) {
    if (!Number.isInteger(value) || value < 1 || value > 2_147_483_647) {
      throw new RangeError(`${name}: expected an integer from 1 to 2147483647, got ${value}`);
    }
  }
  const send = options.fetch ?? globalThis.fetch;

  async function call(
    input: readonly string[],
    signal?: AbortSignal,
  ): Promise<readonly number[][]> {
    signal?.throwIfAborted();
    const call = new AbortController();
    const abort = () => call.abort(signal?.reason);
    const timer = setTimeout(() => {
      call.abort(
        new EmbedderError(`The embedder "${model}" did not answer within ${timeoutMs} ms.`),
      );
    }, timeoutMs);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const answer = await send(url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify({ model, input, encoding_format: "float" }),
        signal: call.signal,
        redirect: "manual", // a redirect is a failure; "error" loses an abort after a GC
      });
      if (!answer.ok) {
        await answer.body?.cancel();
        throw new EmbedderError(`The embedder "${model}" answered with status ${answer.status}.`);
      }
      return vectorsIn(await answer.json(), model);
    } catch (thrown) {
      if (call.signal.aborted) throw call.signal.reason;
      if (thrown instanceof EmbedderError) throw thrown;
      throw new EmbedderError(`The embedder "${model}" could not be reached or understood.`);
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }

  return {
    id: `${model}-${dimensions}`,
    dimensions,
    async embed(texts, { signal } = {}) {
      const vectors: (readonly number[])[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        vectors.push(...(await call(texts.slice(from, from + batchSize), signal)));
      }
      return vectors;
    },
  };
}

/** `data` in the order of `index`, as the format allows any order. */
function vectorsIn(answer: unknown, model: string): readonly number[][] {
  const data = isRecord(answer) ? answer.data : undefined;
  if (!Array.isArray(data))
    throw new EmbedderError(`The embedder "${model}" did not return a list of vectors.`);
  return data
    .map((each: unknown, place) => {
      const { embedding, index } = isRecord(each) ? each : {};
      if (!Array.isArray(embedding) || !embedding.every((value) => typeof value === "number")) {
        throw new EmbedderError(`The embedder "${model}" returned an item that is not a vector.`);
      }
      return { embedding, index: typeof index === "number" ? index : place };
    })
    .sort((a, b) => a.index - b.index)
    .map(({ embedding }) => embedding);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

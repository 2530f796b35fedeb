import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { type Embedder, EmbedderError } from "@constellation/retrieval";
import { openKeptVectors } from "./kept-vectors.js";
import { createModelProcess } from "./model-process.js";
import { findRuntime, packagedModel, type RuntimeName } from "./runtime.js";
import { createWordPiece } from "./word-piece.js";

/** Options for {@link openModelEmbedder}. */
export interface ModelEmbedderOptions {
  /**
   * Folder with `model.onnx`, a sentence model of the BERT family, and its `vocab.txt`.
   *
   * A bundle does not contain the package's model: copy that folder, and set the path of the copy
   * here.
   *
   * @default the model that comes with the package: all-MiniLM-L6-v2, 384 dimensions
   */
  readonly folder?: string;
  /** Runtime of the model: `native` needs `onnxruntime-node` installed and is about five times as fast; `wasm` comes with the package.
   *
   * @default "native" when it is installed, else "wasm"
   */
  readonly runtime?: RuntimeName;
  /**
   * Threads of the native runtime. Integer, 1 or more. More threads help only on idle cores.
   *
   * @default 1
   */
  readonly threads?: number;
  /**
   * Maximum number of tokens of a text that are read, 8 to 512; the rest is left out.
   *
   * @default 256
   */
  readonly maxTokens?: number;
  /**
   * Folder in which the vectors of texts that are asked for again at each start are kept between runs, such as the descriptions
   * of librarians: each with a hash of its text, without the text. Queries are never kept.
   *
   * @default none
   */
  readonly cache?: string;
  /** Aborts the opening, which rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** An embedder that runs on this machine in a separate process. */
export interface ModelEmbedder extends Embedder {
  /** Ends its process; running calls reject. The process does not keep the application alive. */
  close(): Promise<void>;
}

/**
 * Opens an embedder over a model in a folder. Nothing is downloaded, and texts never leave the
 * machine.
 *
 * Texts are embedded one at a time, those of short calls first: a query overtakes an index that is
 * being built. An aborted call stops after the current text.
 *
 * @throws {EmbedderError} When the model or a runtime is missing or cannot be read; the message
 *   names the next step.
 * @throws {RangeError} For numbers outside their ranges.
 */
export async function openModelEmbedder(
  options: ModelEmbedderOptions = {},
): Promise<ModelEmbedder> {
  const { threads = 1, maxTokens = 256, cache, signal } = options;
  requireInteger("threads", threads, 1, 64);
  requireInteger("maxTokens", maxTokens, 8, 512);
  const folder = resolve(options.folder ?? packagedModel());
  const [model, vocabulary] = await readModel(folder, options.folder === undefined, signal);
  const tokenizer = createWordPiece(vocabulary);
  const runtime = await findRuntime(options.runtime, folder);
  const running = await createModelProcess(
    { ...runtime, model: join(folder, "model.onnx"), threads },
    signal,
  );
  const hash = createHash("sha256").update(model).digest("hex").slice(0, 12);
  const name = options.folder === undefined ? "all-MiniLM-L6-v2" : basename(folder);
  const id = `${name}@${hash}/${maxTokens}`;
  const { dimensions } = running;
  const file = cache && join(cache, `${id.replaceAll(/[^\w.-]/g, "_")}.vectors`);
  const kept = file === undefined ? undefined : await openKeptVectors(file, dimensions);
  const run = (texts: readonly string[], ends: AbortSignal | undefined) =>
    running.run(
      texts.map((text) => tokenizer.encode(text, maxTokens)),
      ends,
    );
  return {
    id,
    dimensions,
    async embed(texts, { signal: ends, isKept = false } = {}) {
      if (kept === undefined || !isKept) return run(texts, ends);
      const missing = [...new Set(texts)].filter((text) => kept.find(text) === undefined);
      if (missing.length > 0) await kept.add(missing, await run(missing, ends));
      return texts.map((text) => kept.find(text) ?? new Float32Array(dimensions));
    },
    close: () => running.close(),
  };
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (Number.isInteger(value) && value >= min && value <= max) return;
  throw new RangeError(`${name}: expected an integer from ${min} to ${max}, got ${value}`);
}

/** Largest model and vocabulary that are read, in bytes. */
const maxModelBytes = 1_073_741_824;
const maxVocabularyBytes = 16_777_216;

async function readModel(
  folder: string,
  isBundled: boolean,
  signal: AbortSignal | undefined,
): Promise<readonly [model: Uint8Array, vocabulary: string]> {
  try {
    const model = await readBounded(join(folder, "model.onnx"), maxModelBytes, signal);
    const vocabulary = await readBounded(join(folder, "vocab.txt"), maxVocabularyBytes, signal);
    return [model, vocabulary.toString("utf8")];
  } catch (thrown) {
    if (signal?.aborted) throw signal.reason;
    const advice = isBundled
      ? "The model is not in the package's folder. Set `folder` to the path of a copy of the package's folder `model`; a bundled application needs one. In a clone run `npm run model -w packages/embeddings` first."
      : `folder: expected model.onnx and vocab.txt in "${folder}".`;
    throw new EmbedderError(advice, { cause: thrown });
  }
}

async function readBounded(
  path: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const file = await open(path);
  try {
    const stat = await file.stat();
    if (!stat.isFile() || stat.size > maxBytes) {
      throw new Error(`${basename(path)} is not a regular file of at most ${maxBytes} bytes`);
    }
    return await file.readFile(signal === undefined ? {} : { signal });
  } finally {
    await file.close();
  }
}

import { createHash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Embedder, EmbedderError } from "@constellation/retrieval";
import { createModelThread } from "./model-thread.js";
import { findRuntime, type RuntimeName } from "./runtime.js";
import { createWordPiece } from "./word-piece.js";

/** Options for {@link openModelEmbedder}. */
export interface ModelEmbedderOptions {
  /**
   * Folder with `model.onnx`, a sentence model of the BERT family, and its `vocab.txt`.
   *
   * @default the model that comes with the package: all-MiniLM-L6-v2, 384 dimensions
   */
  readonly folder?: string;
  /**
   * What runs the model: `native` needs `onnxruntime-node` installed and is some five times as fast;
   * `wasm` comes with the package.
   *
   * @default "native" where it is installed, else "wasm"
   */
  readonly runtime?: RuntimeName;
  /**
   * Threads of the native runtime. Integer, 1 or more. More help only where cores are idle.
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
  /** Ends the opening with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** An embedder that runs in this process, on a thread of its own. */
export interface ModelEmbedder extends Embedder {
  /** Ends its thread; what is being embedded then rejects. It keeps no process alive by itself. */
  close(): Promise<void>;
}

/** Folder of the model that `npm run model` puts beside the code. */
const bundledModel = fileURLToPath(new URL("../model", import.meta.url));

/**
 * Opens an embedder over a model in a folder. Nothing is fetched; texts never leave the process.
 *
 * Texts are embedded one at a time, those of short calls first: a query overtakes an index that is
 * being made. An aborted call stops after the text that is being embedded.
 *
 * @throws {EmbedderError} When the model or a runtime is missing or cannot be read; says what to do.
 * @throws {RangeError} For numbers outside their ranges.
 */
export async function openModelEmbedder(
  options: ModelEmbedderOptions = {},
): Promise<ModelEmbedder> {
  const { threads = 1, maxTokens = 256, signal } = options;
  requireInteger("threads", threads, 1, 64);
  requireInteger("maxTokens", maxTokens, 8, 512);
  const folder = resolve(options.folder ?? bundledModel);
  const [model, vocabulary] = await readModel(folder, options.folder === undefined, signal);
  const tokenizer = createWordPiece(vocabulary);
  const runtime = await findRuntime(options.runtime, folder);
  const thread = await createModelThread(
    { ...runtime, model: join(folder, "model.onnx"), threads },
    signal,
  );
  const hash = createHash("sha256").update(model).digest("hex").slice(0, 12);
  const name = options.folder === undefined ? "all-MiniLM-L6-v2" : basename(folder);
  return {
    id: `${name}@${hash}/${maxTokens}`,
    dimensions: thread.dimensions,
    embed: (texts, { signal: ends } = {}) =>
      thread.run(
        texts.map((text) => tokenizer.encode(text, maxTokens)),
        ends,
      ),
    close: () => thread.close(),
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
      ? "The model is not in this copy of the package. In a clone run `npm run model -w packages/embeddings`, or give `folder`."
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

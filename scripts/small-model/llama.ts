import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The parts of node-llama-cpp that are used; it is installed by the person who runs this, and not by the repository. */
interface Runner {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<{
      createContext(options: object): Promise<{ getSequence(): Sequence }>;
    }>;
    createGrammarForJsonSchema(schema: object): Promise<unknown>;
  }>;
  LlamaChat: new (
    options: object,
  ) => {
    generateResponse(history: readonly Turn[], options: object): Promise<Generated>;
  };
}

interface Sequence {
  readonly tokenMeter: { readonly usedInputTokens: number };
}

/** A turn as node-llama-cpp has it. */
export type Turn =
  | { readonly type: "system" | "user"; readonly text: string }
  | { readonly type: "model"; readonly response: readonly string[] };

interface Generated {
  readonly response: string;
  readonly metadata: { readonly stopReason: string };
}

/** What a model is to write. */
export interface Task {
  readonly turns: readonly Turn[];
  /** A JSON schema that the text is held to, in the part of the standard that the runner knows. */
  readonly schema: object | undefined;
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

/** What it wrote. */
export interface Written {
  readonly text: string;
  readonly isCut: boolean;
  /** Tokens that were evaluated; those that were in the cache are not counted. */
  readonly readTokens: number;
  readonly writtenTokens: number;
}

/** A model in memory. */
export interface Llama {
  /** Writes one text at a time: a second call waits for the first. */
  write(task: Task): Promise<Written>;
}

/** Prompts whose instructions stay in the cache: those of the incident mesh. */
const cachedPrompts = 7;

/**
 * Loads a model file.
 *
 * @param file - In GGUF form.
 * @param folder - Whose `node_modules` has node-llama-cpp.
 * @param contextTokens - Tokens that a request and its reply may have together.
 * @throws Error when the runner or the file cannot be loaded.
 */
export async function loadLlama(
  file: string,
  folder: string,
  contextTokens: number,
): Promise<Llama> {
  const path = join(resolve(folder), "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama, LlamaChat }: Runner = await import(pathToFileURL(path).href);
  const llama = await getLlama({ build: "never", gpu: false, maxThreads: 1, logLevel: "error" });
  const model = await llama.loadModel({ modelPath: resolve(file) });
  // Two threads beside another busy process are slower than one.
  const context = await model.createContext({
    contextSize: contextTokens,
    sequences: cachedPrompts,
    threads: 1,
  });
  const free = Array.from({ length: cachedPrompts }, () => {
    const sequence = context.getSequence();
    return { sequence, chat: new LlamaChat({ contextSequence: sequence }) };
  });
  const places = new Map<string, (typeof free)[number]>();
  let last: Promise<unknown> = Promise.resolve();

  /** The sequence whose beginning is these instructions: what is equal to the turns before is not read again. */
  function placeOf([first]: readonly Turn[]) {
    const key = first?.type === "system" ? first.text : "";
    const [oldest] = places.keys();
    const place = places.get(key) ?? free.pop() ?? places.get(oldest ?? "");
    if (place === undefined) throw new Error("The model has no sequence.");
    if (!places.has(key) && places.size === cachedPrompts) places.delete(oldest ?? "");
    places.delete(key);
    places.set(key, place);
    return place;
  }

  async function write({ turns, schema, maxTokens, signal }: Task): Promise<Written> {
    signal.throwIfAborted();
    const { chat, sequence } = placeOf(turns);
    const before = sequence.tokenMeter.usedInputTokens;
    let writtenTokens = 0;
    const { response, metadata } = await chat.generateResponse(turns, {
      ...(schema !== undefined && { grammar: await llama.createGrammarForJsonSchema(schema) }),
      maxTokens,
      temperature: 0,
      seed: 1,
      signal,
      stopOnAbortSignal: true,
      onToken: (tokens: readonly unknown[]) => {
        writtenTokens += tokens.length;
      },
    });
    return {
      text: response,
      isCut: metadata.stopReason === "maxTokens",
      readTokens: sequence.tokenMeter.usedInputTokens - before,
      writtenTokens,
    };
  }

  return {
    write(task) {
      const next = last.then(() => write(task));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

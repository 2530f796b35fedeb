import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The parts of node-llama-cpp that are used; it is installed by who runs this, and not by the repository. */
interface Runner {
  getLlama(options: object): Promise<{
    loadModel(options: object): Promise<{
      createContext(options: object): Promise<{ getSequence(): unknown }>;
    }>;
    createGrammarForJsonSchema(schema: object): Promise<unknown>;
  }>;
  LlamaChat: new (
    options: object,
  ) => {
    generateResponse(history: readonly Turn[], options: object): Promise<Generated>;
  };
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
  readonly onToken: (count: number) => void;
}

/** A model in memory. */
export interface Llama {
  /** Writes one text at a time: a second call waits for the first. */
  write(task: Task): Promise<{ readonly text: string; readonly isCut: boolean }>;
}

/** Tokens that a request and its reply may have together. */
export const contextTokens = 8_192;

/**
 * Loads a model file.
 *
 * @param file - In GGUF form.
 * @param folder - Whose `node_modules` has node-llama-cpp.
 * @throws Error when the runner or the file cannot be loaded.
 */
export async function loadLlama(file: string, folder: string): Promise<Llama> {
  const path = join(resolve(folder), "node_modules/node-llama-cpp/dist/index.js");
  const { getLlama, LlamaChat }: Runner = await import(pathToFileURL(path).href);
  const llama = await getLlama({ build: "never", gpu: false, maxThreads: 2, logLevel: "error" });
  const model = await llama.loadModel({ modelPath: resolve(file) });
  // Two threads beside another busy process are slower than one.
  const context = await model.createContext({ contextSize: contextTokens, threads: 1 });
  const chat = new LlamaChat({ contextSequence: context.getSequence() });
  let last: Promise<unknown> = Promise.resolve();

  async function write({ turns, schema, maxTokens, signal, onToken }: Task) {
    signal.throwIfAborted();
    const { response, metadata } = await chat.generateResponse(turns, {
      ...(schema !== undefined && { grammar: await llama.createGrammarForJsonSchema(schema) }),
      maxTokens,
      temperature: 0,
      seed: 1,
      signal,
      stopOnAbortSignal: true,
      onToken: (tokens: readonly unknown[]) => onToken(tokens.length),
    });
    return { text: response, isCut: metadata.stopReason === "maxTokens" };
  }

  return {
    write(task) {
      const next = last.then(() => write(task));
      last = next.catch(() => undefined);
      return next;
    },
  };
}

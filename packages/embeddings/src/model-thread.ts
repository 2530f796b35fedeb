import { Worker } from "node:worker_threads";
import { EmbedderError } from "@constellation/retrieval";
import { createJobs, type Job } from "./jobs.js";
import type { Runtime } from "./runtime.js";

/** What the thread is started with. */
export interface ModelThreadOptions extends Runtime {
  /** Path of the model. */
  readonly model: string;
  readonly threads: number;
}

/** A thread that turns tokens into vectors. */
export interface ModelThread {
  readonly dimensions: number;
  /** One vector per list of tokens, in their order. Rejects with EmbedderError or the signal's reason. */
  run(
    texts: readonly (readonly number[])[],
    signal?: AbortSignal,
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

type Message =
  | { readonly dimensions: number }
  | { readonly vector: Float32Array }
  | { readonly problem: string };

/** Starts the thread and waits until the model is loaded. */
export async function createModelThread(
  options: ModelThreadOptions,
  signal?: AbortSignal,
): Promise<ModelThread> {
  signal?.throwIfAborted();
  const worker = new Worker(new URL("../runtime/worker.mjs", import.meta.url), {
    workerData: options,
    // Loaders of the application are not for this thread.
    execArgv: [],
  });
  const dimensions = await opened(worker, signal);
  const jobs = createJobs();
  let current: Job | undefined;
  worker.unref();

  function next(): void {
    if (current !== undefined) return;
    current = jobs.next();
    if (current === undefined) worker.unref();
    else {
      // A process waits for what is being embedded, not for an idle thread.
      worker.ref();
      worker.postMessage({ id: 0, ids: current.text() });
    }
  }

  function settle(message: Message): void {
    const job = current;
    current = undefined;
    if ("vector" in message) job?.done(message.vector);
    else if ("problem" in message) job?.fail(problemOf(message.problem));
    next();
  }

  function end(error: EmbedderError): void {
    current?.fail(error);
    current = undefined;
    jobs.failAll(error);
  }

  worker.on("message", settle);
  worker.on("error", (thrown) => end(problemOf(String(thrown).slice(0, 200))));
  worker.on("exit", () => end(problemOf("its thread has ended")));

  return {
    dimensions,
    run(texts, ends) {
      const result = jobs.add(texts, ends);
      next();
      return result;
    },
    async close() {
      await worker.terminate();
    },
  };
}

function opened(worker: Worker, signal: AbortSignal | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const leave = () => finish(() => reject(signal?.reason));
    const fail = (problem: string) => finish(() => reject(problemOf(problem)));
    const read = (message: Message) => {
      if ("dimensions" in message) finish(() => resolve(message.dimensions), true);
      else fail("problem" in message ? message.problem : "an unknown reply");
    };
    const failed = (thrown: unknown) => fail(String(thrown).slice(0, 200));
    const ended = () => fail("its thread has ended");
    // One by one: the thread observes no more messages once all listeners are removed at once.
    function finish(settle: () => void, isOpen = false): void {
      signal?.removeEventListener("abort", leave);
      worker.off("message", read).off("error", failed).off("exit", ended);
      if (!isOpen) void worker.terminate();
      settle();
    }
    signal?.addEventListener("abort", leave, { once: true });
    worker.on("message", read).on("error", failed).on("exit", ended);
  });
}

function problemOf(problem: string): EmbedderError {
  return new EmbedderError(`The model could not be run: ${problem}.`);
}

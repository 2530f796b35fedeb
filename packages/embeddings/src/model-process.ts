import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { EmbedderError } from "@constellation/retrieval";
import { createJobs, type Job } from "./jobs.js";
import type { Runtime } from "./runtime.js";

/** Options of the process. */
export interface ModelProcessOptions extends Runtime {
  /** Path of the model. */
  readonly model: string;
  readonly threads: number;
}

/** A process that turns tokens into vectors. */
export interface ModelProcess {
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

/** Code of the process, as text, so that a bundle of one file contains it too. */
const program = readFileSync(new URL("../runtime/model-process.mjs", import.meta.url), "utf8");

/**
 * Starts the process and waits until the model is loaded.
 *
 * A process, not a thread, because ending a thread while native code runs aborts the whole
 * application. The process can be killed at any time, and ends by itself once its parent has ended.
 */
export async function createModelProcess(
  options: ModelProcessOptions,
  signal?: AbortSignal,
): Promise<ModelProcess> {
  signal?.throwIfAborted();
  const { NODE_OPTIONS: _, ...env } = process.env; // loaders of the application are not for it
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    env,
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const dimensions = await opened(child, options, signal);
  const jobs = createJobs();
  let current: Job | undefined;
  let ended: EmbedderError | undefined;
  release(child);

  function next(): void {
    if (current !== undefined) return;
    current = jobs.next();
    if (current === undefined) release(child);
    else {
      // The application waits for running calls, not for an idle process.
      hold(child);
      child.send(
        { ids: current.text() },
        (failed) => failed && end(toEmbedderError("its process has ended")),
      );
    }
  }

  function settle(message: Message): void {
    const job = current;
    current = undefined;
    if ("vector" in message) job?.done(message.vector);
    else if ("problem" in message) job?.fail(toEmbedderError(message.problem));
    next();
  }

  function end(error: EmbedderError): void {
    ended ??= error;
    current?.fail(ended);
    current = undefined;
    jobs.failAll(ended);
  }

  child.on("message", settle);
  child.on("error", (thrown) => end(toEmbedderError(String(thrown).slice(0, 200))));
  child.on("exit", (_code, by) => end(toEmbedderError(describeExit(by))));

  return {
    dimensions,
    run(texts, ends) {
      if (ended !== undefined) return Promise.reject(ended);
      const result = jobs.add(texts, ends);
      next();
      return result;
    },
    close() {
      end(toEmbedderError("its process has ended"));
      return kill(child);
    },
  };
}

function opened(
  child: ChildProcess,
  options: ModelProcessOptions,
  signal: AbortSignal | undefined,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const leave = () => finish(() => reject(signal?.reason));
    const fail = (problem: string) => finish(() => reject(toEmbedderError(problem)));
    const read = (message: Message) => {
      if ("dimensions" in message) finish(() => resolve(message.dimensions), true);
      else fail("problem" in message ? message.problem : "an unknown reply");
    };
    const failed = (thrown: unknown) => fail(String(thrown).slice(0, 200));
    const ended = (_code: number | null, by: NodeJS.Signals | null) => fail(describeExit(by));
    function finish(settle: () => void, isOpen = false): void {
      signal?.removeEventListener("abort", leave);
      child.off("message", read).off("exit", ended);
      if (isOpen) child.off("error", failed);
      else void kill(child);
      settle();
    }
    signal?.addEventListener("abort", leave, { once: true });
    child.on("message", read).on("error", failed).on("exit", ended);
    child.send({ open: options }, () => {}); // where it fails, the process has ended
  });
}

/** Ends it immediately and waits for its exit. Only running calls are lost. */
function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
    return Promise.resolve();
  }
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    hold(child);
    child.kill("SIGKILL");
  });
}

/** Keeps this process alive while the other one works. */
function hold(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}

function release(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function describeExit(by: NodeJS.Signals | null): string {
  return by === null || by === "SIGKILL" ? "its process has ended" : `its process ended by ${by}`;
}

function toEmbedderError(problem: string): EmbedderError {
  return new EmbedderError(`The model could not be run: ${problem}.`);
}

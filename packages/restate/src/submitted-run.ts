import type {
  AIClient,
  HopContext,
  HopStart,
  JournaledHop,
  Response,
  RunEnding,
  RunJournal,
  RunThread,
} from "@constellation/core";
import type { RestateClient } from "./client.js";
import type { RunMessage } from "./messages.js";

/** A run in the process that asks it: its first hop is the whole run, which Restate has another process work on. */
export class SubmittedRun implements RunJournal {
  readonly refusal = undefined;
  readonly thread: Promise<RunThread> | undefined;
  readonly #id: string;
  readonly #message: RunMessage;
  readonly #client: RestateClient;
  #begun: Promise<void> | undefined;
  /** Response of the run. */
  #response: Response | undefined;

  /** @param thread - The one it is asked in, once the question is in it. */
  constructor(
    id: string,
    message: RunMessage,
    client: RestateClient,
    thread: Promise<RunThread> | undefined,
  ) {
    this.thread = thread;
    this.#id = id;
    this.#message = message;
    this.#client = client;
  }

  begun(): Promise<void> {
    this.#begun ??= this.#submit();
    return this.#begun;
  }

  async #submit(): Promise<void> {
    const thread = await this.thread;
    return this.#client.submit(this.#id, { ...this.#message, ...(thread && { thread }) });
  }

  start(): HopStart {
    return { instead: (_query, context) => this.#follow(context) };
  }

  async #follow({ signal }: HopContext): Promise<Response> {
    await this.begun();
    this.#response = await this.#client.roundOf(this.#id, 0, signal);
    return this.#response;
  }

  ended(): void {
    // Restate keeps what the run has returned.
  }

  modelOf(_hop: JournaledHop, ai: AIClient): AIClient {
    return ai; // its librarian is called in another process
  }

  step(): ReturnType<RunJournal["step"]> {
    return Promise.reject(new TypeError("A submitted run calls no librarian."));
  }

  wait(): ReturnType<RunJournal["wait"]> {
    throw new TypeError("A submitted run calls no librarian.");
  }

  idempotencyKeyOf(): string {
    return this.#id;
  }

  untilIdle(): undefined {
    return undefined;
  }

  /** A caller that leaves ends the run, as it does without Restate; one whose process ends does not. */
  async end({ response, isInterrupted }: RunEnding): Promise<Response> {
    if (this.#response === undefined && !isInterrupted) {
      void this.#client.cancel(this.#id).catch(() => undefined);
    }
    // The router accepts waits from its journal only.
    const waiting = this.#response?.metadata?.waiting;
    return waiting === undefined
      ? response
      : { ...response, metadata: { ...response.metadata, waiting } };
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Response, Waiting } from "@constellation/core";
import { MeshError } from "@constellation/core";
import type { ReplyEnvelope } from "@constellation/transport/envelope";
import {
  connect,
  HttpCallError,
  type Ingress,
  rpc,
  type Send,
} from "@restatedev/restate-sdk-clients";
import type { Answers, HopMessage, RecordedLine, RunMessage, RunState } from "./messages.js";
import { type Services, waitsKey } from "./services.js";
import type { RestateSettings } from "./settings.js";

/** Time between two tries to reach the server, in milliseconds. */
const retryMs = 200;

/** Calls the services through the server's ingress, again until it can be reached: every call may be repeated. */
export class RestateClient {
  readonly #ingress: Ingress;
  readonly #services: Services;
  #isClosed = false;

  constructor({ ingress: url, headers }: RestateSettings, services: Services) {
    this.#ingress = connect({ url, headers: { ...headers } });
    this.#services = services;
  }

  /** Begins a run, or finds that it has begun. */
  async submit(runId: string, message: RunMessage): Promise<void> {
    await this.#repeat(() =>
      this.#ingress.workflowClient(this.#services.runs, runId).workflowSubmit(message),
    );
  }

  roundOf(runId: string, round: number, signal?: AbortSignal): Promise<Response> {
    const options = rpc.opts<number, Response>({ ...(signal && { signal }) });
    return this.#repeat(async () => this.#run(runId).round(round, options), signal);
  }

  stateOf(runId: string): Promise<RunState | undefined> {
    return this.#repeat(async () => this.#run(runId).state());
  }

  answer(runId: string, given: { readonly id: string; readonly answer: Answers[string] }) {
    return this.#repeat(async () => this.#run(runId).answer(given));
  }

  cancel(runId: string): Promise<boolean> {
    return this.#repeat(async () => this.#run(runId).cancel());
  }

  #run(runId: string) {
    return this.#ingress.workflowClient(this.#services.runs, runId);
  }

  /** Calls a hop once for its key: a further call gets what the first one returned. */
  async callHop(
    message: HopMessage,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<ReplyEnvelope> {
    const hops = this.#ingress.serviceSendClient(this.#services.hops);
    const send: Send<ReplyEnvelope> = await this.#repeat(
      async () => hops.call(message, rpc.sendOpts({ idempotencyKey })),
      signal,
    );
    const stop = () =>
      void this.#repeat(async () =>
        hops.cancel(send.invocationId as Parameters<typeof hops.cancel>[0]),
      ).catch(() => undefined);
    signal.addEventListener("abort", stop, { once: true });
    try {
      return await this.#repeat(async () => this.#ingress.result(send), signal);
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  readRecord(runId: string, key: string): Promise<readonly RecordedLine[]> {
    return this.#repeat(async () =>
      this.#ingress.objectClient(this.#services.records, runId).read(key),
    );
  }

  /**
   * @param id - Names the request: repeated, it gives the same.
   * @returns Whether it was not there.
   */
  addToRecord(runId: string, line: RecordedLine, id: string): Promise<boolean> {
    const options = rpc.opts<RecordedLine, boolean>({ idempotencyKey: id });
    return this.#repeat(async () =>
      this.#ingress.objectClient(this.#services.records, runId).add(line, options),
    );
  }

  waiting(): Promise<readonly Waiting[]> {
    return this.#repeat(async () =>
      this.#ingress.objectClient(this.#services.waits, waitsKey).list(),
    );
  }

  close(): void {
    this.#isClosed = true;
  }

  async #repeat<Result>(call: () => PromiseLike<Result>, signal?: AbortSignal): Promise<Result> {
    for (;;) {
      signal?.throwIfAborted();
      try {
        return await withSignal(call(), signal);
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        if (this.#isClosed || !canPass(thrown)) throw unavailable(thrown);
        await sleep(retryMs, undefined, { ref: false });
      }
    }
  }
}

/** Stops waiting for a call. */
function withSignal<Result>(
  call: PromiseLike<Result>,
  signal: AbortSignal | undefined,
): PromiseLike<Result> {
  if (signal === undefined) return call;
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason as Error);
    signal.addEventListener("abort", leave, { once: true });
    call.then(resolve, reject).then(
      () => signal.removeEventListener("abort", leave),
      () => undefined,
    );
  });
}

/** Whether the same call may succeed later: the server is away, or not ready. */
function canPass(thrown: unknown): boolean {
  if (!(thrown instanceof HttpCallError)) return true;
  return (
    thrown.status === 429 || thrown.status === 470 || thrown.status === 502 || thrown.status === 503
  );
}

function unavailable(cause: unknown): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "Restate does not do what it was asked.", {
    reason: "journal-failed",
    suggestion:
      "Check that the server runs, and that the services of the mesh are registered with it.",
    cause,
  });
}

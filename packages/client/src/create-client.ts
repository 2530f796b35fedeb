import type { Response, Waiting } from "@constellation/core";
import type { ClientEvent, MeshClient, RunState } from "./mesh-client.js";
import { readEvents } from "./read-events.js";
import {
  brokenConnection,
  ClientError,
  type ClientOptions,
  createSender,
  readFailure,
  readJson,
  type SendOptions,
} from "./send.js";

const firstDelayMs = 500;

/**
 * Creates a client of a mesh that `createServer` or `createHandler` serves. It works in browsers and in Node.js, and sends
 * nothing before its first call.
 *
 * @throws TypeError for a `url` that is not an address.
 *
 * @example
 * ```ts
 * const mesh = createClient({ url: "http://127.0.0.1:8080" });
 * const { answer } = await mesh.ask("restart billing");
 * ```
 */
export function createClient(options: ClientOptions = {}): MeshClient {
  const { send, maxReplyLength } = createSender(options);
  const { attempts = 5, maxDelayMs = 10_000 } = options.reconnect ?? {};

  const limits = ({ signal }: SendOptions) => ({ maxLength: maxReplyLength, signal });

  /** @throws ClientError for a status that is not a success. */
  async function call<Result>(path: string, init: SendOptions): Promise<Result> {
    const reply = await send(path, init);
    const body = await readJson(reply, limits(init));
    if (!reply.ok) throw readFailure(reply, body);
    return body as Result; // of a server of this version
  }

  async function* events(path: string, init: SendOptions): AsyncGenerator<ClientEvent> {
    const reply = await send(path, init);
    if (!reply.ok) throw readFailure(reply, await readJson(reply, limits(init)));
    yield* readEvents(reply, limits(init));
  }

  return {
    async ask(query, { signal, ...rest } = {}) {
      const init = { method: "POST", body: { ...rest, query }, signal } as const;
      const reply = await send("/ask", init);
      const body = await readJson(reply, limits(init));
      // With an id of a run it is the response of that run, an error too.
      if (reply.ok || reply.headers.has("x-run-id")) return body as unknown as Response;
      throw readFailure(reply, body);
    },
    async *stream(query, { signal, ...rest } = {}) {
      const init = { method: "POST", body: { ...rest, query }, signal } as const;
      for await (const event of events("/ask/stream", init)) {
        yield event;
        if (event.event === "response") return;
      }
      throw brokenConnection();
    },
    start: (query, { signal, ...rest } = {}) =>
      call<RunState>("/ask", {
        method: "POST",
        body: { ...rest, query, background: true },
        signal,
      }),
    async *watch(runId, { signal, lastEventId } = {}) {
      let last = lastEventId;
      let hasBegun = false;
      for (let failures = 0; ; ) {
        let problem = brokenConnection();
        try {
          const headers = last === undefined ? {} : { "last-event-id": last };
          for await (const event of events(`${runPath(runId)}/events`, { headers, signal })) {
            failures = 0;
            if ("id" in event) last = event.id;
            if (event.event === "run" && hasBegun) continue;
            hasBegun = true;
            yield event;
            if (event.event === "response") return;
          }
        } catch (thrown) {
          if (!(thrown instanceof ClientError) || !mayPass(thrown)) throw thrown;
          problem = thrown;
        }
        if (++failures > attempts) throw problem;
        const waitMs = problem.retryAfterMs ?? firstDelayMs * 2 ** (failures - 1);
        await pause(Math.min(waitMs, maxDelayMs), signal);
      }
    },
    read: (runId, { signal } = {}) => call<RunState>(runPath(runId), { signal }),
    cancel: (runId, { signal } = {}) =>
      call<RunState>(`${runPath(runId)}/cancel`, { method: "POST", body: {}, signal }),
    async waiting({ signal } = {}) {
      const { waiting } = await call<{ waiting: readonly Waiting[] }>("/waiting", { signal });
      return waiting;
    },
    answer: ({ runId, id }, body, { signal } = {}) =>
      call<RunState>(`${runPath(runId)}/waiting/${encodeURIComponent(id)}`, {
        ...{ method: "POST", body, signal },
      }),
  };
}

function runPath(runId: string): string {
  return `/runs/${encodeURIComponent(runId)}`;
}

/** Whether the same request may succeed later. */
function mayPass({ status }: ClientError): boolean {
  return status === 0 || status === 429 || status >= 500;
}

/** @throws The signal's reason as soon as it aborts. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}

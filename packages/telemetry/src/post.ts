import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";

// The exporters of the SDK keep the process alive: their sockets and retry timers last as long as they
// wait for a dead collector. So the SDK only serializes, and this file sends. Nothing here keeps the process
// alive; a flush on exit has its own timer.

/** Where and how to send: what the SDK reads from options and environment variables. */
export interface PostConfiguration {
  readonly url: string;
  readonly compression: "gzip" | "none";
  /** For one body, retries included. */
  readonly timeoutMillis: number;
  readonly headers: () => Promise<Record<string, string>>;
  readonly agentFactory: (protocol: string) => Agent | Promise<Agent>;
}

/** Sends bodies to one URL. */
export interface Poster {
  /** @returns The problem, without secrets; `undefined` when the body was accepted. Never rejects. */
  post(body: Uint8Array): Promise<string | undefined>;
  /**
   * Stops retrying, because the process is about to end.
   *
   * @returns A function that allows retries again.
   */
  stopRetrying(): () => void;
  /** Drops every request in flight, and every connection. */
  close(): void;
}

/** Outcome of one request. */
interface Reply {
  readonly problem: string | undefined;
  /** Milliseconds to wait before a retry; `undefined`: do not retry. */
  readonly retryMs?: number | undefined;
}

/** Maximum time to connect. A connection attempt keeps the process alive. */
const connectMs = 2_000;
const firstRetryMs = 1_000;
const maxRetryMs = 5_000;
/** Maximum number of reply bytes that are read to keep the connection; with more it is closed. */
const maxReadBytes = 65_536;

export function createPoster(configuration: PostConfiguration): Poster {
  const { url, timeoutMillis } = configuration;
  const open = new Set<ClientRequest>();
  const sleepers = new Set<() => void>();
  let agent: Agent | undefined;
  let isClosed = false;
  let retryStops = 0;

  async function once(body: Buffer, ms: number): Promise<Reply> {
    const isSecure = url.startsWith("https:");
    const { request } = isSecure ? await import("node:https") : await import("node:http");
    agent ??= await configuration.agentFactory(isSecure ? "https:" : "http:");
    const headers = {
      ...(await configuration.headers()),
      ...(configuration.compression === "gzip" && { "content-encoding": "gzip" }),
      "content-length": body.length,
    };
    if (isClosed) return late;
    return new Promise((resolve) => {
      const sending = request(url, { method: "POST", headers, agent });
      open.add(sending);
      const timer = setTimeout(() => {
        resolve(late);
        sending.destroy();
      }, ms).unref();
      sending
        .on("socket", (socket) => unrefSocket(socket, sending))
        .on("response", (response) => {
          resolve(toReply(response));
          drain(response);
        })
        .on("error", (error) => resolve(isClosed ? late : toFailedReply(error)))
        .on("close", () => {
          clearTimeout(timer);
          open.delete(sending);
          resolve({ problem: "closed the connection", retryMs: firstRetryMs });
        })
        .end(body);
    });
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        sleepers.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms).unref();
      sleepers.add(wake);
    });
  }

  async function send(body: Uint8Array): Promise<string | undefined> {
    const endsAt = performance.now() + timeoutMillis;
    const bytes = configuration.compression === "gzip" ? await gzipped(body) : Buffer.from(body);
    for (let backoff = firstRetryMs; ; backoff = Math.min(backoff * 2, maxRetryMs)) {
      const { problem, retryMs } = await once(bytes, Math.max(1, endsAt - performance.now()));
      if (problem === undefined || retryMs === undefined || isClosed || retryStops > 0) {
        return problem;
      }
      const waitMs = Math.max(retryMs, backoff) * (0.8 + Math.random() * 0.4);
      if (performance.now() + waitMs >= endsAt) return problem;
      await sleep(waitMs);
    }
  }

  return {
    async post(body) {
      try {
        return await send(body);
      } catch (thrown) {
        return toFailedReply(thrown).problem; // an invalid header or certificate
      }
    },
    stopRetrying() {
      retryStops++;
      for (const wake of [...sleepers]) wake();
      return () => {
        retryStops--;
      };
    },
    close() {
      isClosed = true;
      for (const request of [...open]) request.destroy();
      for (const wake of [...sleepers]) wake();
      agent?.destroy();
    },
  };
}

const late: Reply = { problem: "did not answer in time" };

function unrefSocket(socket: Socket, sending: ClientRequest): void {
  socket.unref();
  if (!socket.connecting) return;
  const timer = setTimeout(() => {
    sending.destroy(Object.assign(new Error("connecting took too long"), { code: "ETIMEDOUT" }));
  }, connectMs).unref();
  socket.once("connect", () => clearTimeout(timer)).once("close", () => clearTimeout(timer));
}

/** Source: OpenTelemetry protocol, "OTLP/HTTP response": which statuses may be retried. */
function toReply({ statusCode = 0, headers }: IncomingMessage): Reply {
  if (statusCode >= 200 && statusCode < 300) return { problem: undefined };
  const problem = `answered with status ${statusCode}`;
  if (![429, 502, 503, 504].includes(statusCode)) return { problem };
  const seconds = Number(headers["retry-after"]);
  return { problem, retryMs: seconds > 0 ? seconds * 1_000 : firstRetryMs };
}

const retryableCodes: ReadonlySet<string> = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
]);

/** Only the code is reported: a message may repeat a header or an address with a password. */
function toFailedReply(thrown: unknown): Reply {
  const code = thrown instanceof Error && "code" in thrown ? String(thrown.code) : "unknown error";
  const problem = `cannot be reached (${code})`;
  return retryableCodes.has(code) ? { problem, retryMs: firstRetryMs } : { problem };
}

function drain(response: IncomingMessage): void {
  let read = 0;
  response
    .on("data", (chunk: Buffer) => {
      read += chunk.length;
      if (read > maxReadBytes) response.destroy();
    })
    .on("error", () => {}); // the status has been read; the rest does not matter
}

async function gzipped(body: Uint8Array): Promise<Buffer> {
  const { gzip } = await import("node:zlib");
  return new Promise((resolve, reject) => {
    gzip(body, (error, zipped) => (error === null ? resolve(zipped) : reject(error)));
  });
}

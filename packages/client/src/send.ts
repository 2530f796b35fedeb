import type { ErrorInfo } from "@constellation/core";

/** Options of `createClient`. */
export interface ClientOptions {
  /**
   * Address of the server, with its base path. http or https.
   *
   * @default the origin of the page
   */
  readonly url?: string | undefined;
  /**
   * Token of the user, or a function that returns it for each request, for tokens that are refreshed. It is sent to
   * `url` alone.
   */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /**
   * Sends the requests.
   *
   * @default the global `fetch`
   */
  readonly fetch?: typeof fetch | undefined;
  /**
   * Reconnection of `watch`: the maximum number of attempts in a row, and the maximum delay between two, in
   * milliseconds. The first delay is half a second, and each further one twice as long.
   *
   * @default { attempts: 5, maxDelayMs: 10_000 }
   */
  readonly reconnect?: { readonly attempts?: number; readonly maxDelayMs?: number } | undefined;
  /**
   * Maximum size of a reply, or of one event of a stream, in characters.
   *
   * @default 8_388_608
   */
  readonly maxReplyLength?: number | undefined;
}

/** A request that has no response: the server refused it, or could not be reached. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** HTTP status; 0 where the server could not be reached, or the connection broke. */
  readonly status: number;
  /** The error that the server reported, if any. */
  readonly info: ErrorInfo | undefined;
  /** Milliseconds after which the server asks to try again. */
  readonly retryAfterMs: number | undefined;

  constructor(status: number, message: string, info?: ErrorInfo, retryAfterMs?: number) {
    super(message);
    this.status = status;
    this.info = info;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Sends requests to one server. */
export interface Sender {
  /** @returns The response, whatever its status. Rejects with {@link ClientError}, or the signal's reason. */
  send(path: string, init: SendOptions): Promise<globalThis.Response>;
  readonly maxReplyLength: number;
}

/** One request. */
export interface SendOptions {
  readonly method?: "GET" | "POST";
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** @throws TypeError for an address that is not one. */
export function createSender(options: ClientOptions): Sender {
  const { token, maxReplyLength = 8_388_608 } = options;
  const base = readBaseUrl(options.url);
  return {
    maxReplyLength,
    async send(path, { method = "GET", body, headers, signal }) {
      const given = typeof token === "function" ? await token() : token;
      const { fetch: own = fetch } = options;
      try {
        return await own(base + path, {
          method,
          headers: {
            ...headers,
            ...(body !== undefined && { "content-type": "application/json" }),
            ...(given !== undefined && { authorization: `Bearer ${given}` }),
          },
          redirect: "error", // the token must not go to another server
          ...(body !== undefined && { body: JSON.stringify(body) }),
          ...(signal !== undefined && { signal }),
        });
      } catch (thrown) {
        if (signal?.aborted) throw signal.reason ?? thrown;
        throw new ClientError(0, "The server cannot be reached.");
      }
    },
  };
}

function readBaseUrl(url: string | undefined): string {
  const page = (globalThis as { location?: { origin?: string } }).location?.origin;
  const given = url ?? page;
  if (given === undefined)
    throw new TypeError("url: not given. Outside of a page, pass the address of the server.");
  const { protocol, href } = new URL(given, page);
  if (protocol !== "http:" && protocol !== "https:") {
    throw new TypeError(`url: expected an http or https address, got "${protocol}".`);
  }
  let end = href.length;
  while (href[end - 1] === "/") end--;
  return href.slice(0, end);
}

/** Limits of reading a reply. */
export interface ReadOptions {
  /** In characters. */
  readonly maxLength: number;
  /** Signal of the request. */
  readonly signal: AbortSignal | undefined;
}

/** Reads a reply as JSON. @throws ClientError for one that is not, or is too long. */
export async function readJson(
  reply: globalThis.Response,
  { maxLength, signal }: ReadOptions,
): Promise<Readonly<Record<string, unknown>>> {
  let text = "";
  for await (const piece of readText(reply, signal)) {
    text += piece;
    if (text.length > maxLength) throw new ClientError(reply.status, "The reply is too long.");
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Reported below, like any other value.
  }
  throw new ClientError(
    reply.status,
    `The server answered ${reply.status} with a body that is not JSON. Check that the address is that of a mesh.`,
  );
}

/**
 * The text of a body as it comes. Cancels it when it is not read to its end.
 *
 * @throws ClientError where the connection breaks; the signal's reason where it aborted.
 */
export async function* readText(
  reply: globalThis.Response,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  const reader = reply.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let isDone = false;
  try {
    while (!isDone) {
      const { done, value } = await reader.read().catch((thrown: unknown) => {
        throw signal?.aborted ? (signal.reason ?? thrown) : brokenConnection();
      });
      isDone = done;
      if (value !== undefined) yield decoder.decode(value, { stream: true });
    }
  } finally {
    if (!isDone) await reader.cancel().catch(() => undefined);
  }
}

/** The error for a connection that ended early. */
export function brokenConnection(): ClientError {
  return new ClientError(0, "The connection broke.");
}

/** The failure that a reply reports. */
export function readFailure(
  reply: globalThis.Response,
  { error }: Readonly<Record<string, unknown>>,
): ClientError {
  const info = error as ErrorInfo | undefined; // the server's, whose text is shown and decides nothing
  const seconds = Number(reply.headers.get("retry-after") ?? Number.NaN);
  const message = info?.message ?? `The server answered ${reply.status}.`;
  return new ClientError(
    ...([reply.status, message, info] as const),
    Number.isFinite(seconds) ? seconds * 1_000 : undefined,
  );
}

import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https from "node:https";

/** What a server answered. */
export interface HttpAnswer {
  readonly status: number;
  /** Seconds of `Retry-After`, when given as a number. */
  readonly retryAfterSeconds: number | undefined;
  /** At most `maxBytes` of the body. */
  readonly body: Buffer;
  /** True when the body was longer. */
  readonly cut: boolean;
}

/** How one request is made. */
export interface HttpGetOptions {
  /** Headers, agent and certificates. */
  readonly request: RequestOptions;
  readonly signal: AbortSignal;
  readonly maxBytes: number;
}

/**
 * Asks with GET; there is no way to ask with another verb. Redirects are not followed.
 *
 * @throws The network's error, also for a body that ends too early; an abort error when the signal aborts.
 */
export function httpGet(url: URL, options: HttpGetOptions): Promise<HttpAnswer> {
  const { request: settings, signal, maxBytes } = options;
  const send = url.protocol === "http:" ? http.request : https.request;
  return new Promise((resolve, reject) => {
    const request = send(url, { ...settings, method: "GET", signal }, (response) => {
      collect(response, maxBytes).then(resolve, reject);
    });
    request.on("error", reject);
    request.end();
  });
}

async function collect(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let cut = false;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) continue;
    const room = maxBytes - bytes;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    bytes += Math.min(chunk.length, room);
    cut = chunk.length > room;
    // Leaving the loop destroys the response, and with it the connection.
    if (cut) break;
  }
  const retryAfter = Number(response.headers["retry-after"] ?? "");
  return {
    status: response.statusCode ?? 0,
    retryAfterSeconds:
      response.headers["retry-after"] !== undefined && retryAfter >= 0 ? retryAfter : undefined,
    body: Buffer.concat(chunks),
    cut,
  };
}

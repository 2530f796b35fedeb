import { readFile } from "node:fs/promises";
import type { ClientRequest, IncomingMessage } from "node:http";
import { type HttpLinkOptions, headerNames, linkPath } from "./options.js";
import { createOutbox } from "./outbox.js";
import type { PeerConnection } from "./peer.js";

/** A connection that this process has opened. */
export interface DialedPeer {
  /** Receives the bytes that the other process sends. @throws RangeError for what is not a frame. */
  receive(bytes: Uint8Array): void;
  closed(): void;
  /** Resolves once the other process has reported its current state, or the connection is closed. */
  readonly ready: Promise<void>;
  /** Whether to keep connecting: the other process is not this one and has no other connection. */
  isWanted(): boolean;
}

/** Time for a request to be answered, and between two attempts to connect, in milliseconds. */
const times = { requestMs: 10_000, redialMs: 500 };

/**
 * Connects to another process, and always reconnects when the connection is lost.
 *
 * @param onPeer - Called for each connection.
 * @returns `tried` resolves when the first attempt has ended; `close` ends it at once.
 */
export function dialPeer(
  url: string,
  node: string,
  options: HttpLinkOptions,
  onPeer: (connection: PeerConnection) => DialedPeer,
): { readonly tried: Promise<void>; close(): void } {
  const target = new URL(linkPath, url);
  let isClosed = false;
  let stream: ClientRequest | undefined;
  let timer: NodeJS.Timeout | undefined;
  let ready: Promise<typeof import("node:http").request> | undefined;
  let secure: { readonly ca?: Buffer } = {};
  let agent: import("node:http").Agent | undefined;
  let isWanted = () => true;

  async function load() {
    const { Agent, request } = await import(
      target.protocol === "https:" ? "node:https" : "node:http"
    );
    if (options.tls?.caFile !== undefined) secure = { ca: await readFile(options.tls.caFile) };
    agent = new Agent({ keepAlive: true, ...secure });
    return request as typeof import("node:http").request;
  }

  async function send(
    method: "GET" | "POST",
    body: Uint8Array | undefined,
    onRequest?: (request: ClientRequest) => void,
  ): Promise<IncomingMessage> {
    ready ??= load();
    const open = await ready;
    return new Promise((resolve, reject) => {
      const request = open(target, {
        method,
        ...(agent !== undefined && { agent }),
        headers: {
          [headerNames.mesh]: options.mesh,
          [headerNames.node]: node,
          ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
          ...(body !== undefined && { "content-length": body.length }),
        },
      });
      const limit = setTimeout(() => request.destroy(new Error("No answer.")), times.requestMs);
      request.on("error", reject).on("close", () => clearTimeout(limit));
      request.on("response", (response) => {
        clearTimeout(limit);
        if (response.statusCode === (method === "GET" ? 200 : 204)) resolve(response);
        else request.destroy(new Error(`Refused with status ${response.statusCode}.`));
      });
      onRequest?.(request);
      request.end(body);
    });
  }

  async function connect(): Promise<void> {
    if (!isWanted()) return redial();
    try {
      const response = await send("GET", undefined, (request) => (stream = request));
      response.socket.setNoDelay(true).setKeepAlive(true, 5_000);
      await follow(response).ready;
    } catch {
      redial();
    }
  }

  function follow(response: IncomingMessage): DialedPeer {
    const outbox = createOutbox(
      async (body) => void (await send("POST", body)).resume(),
      () => response.destroy(),
    );
    const peer = onPeer({ ...outbox, close: () => response.destroy() });
    isWanted = () => peer.isWanted();
    response.on("data", (bytes: Uint8Array) => {
      try {
        peer.receive(bytes);
      } catch {
        response.destroy();
      }
    });
    response.on("error", () => undefined); // its close follows
    response.on("close", () => {
      peer.closed();
      redial();
    });
    return peer;
  }

  function redial(): void {
    if (isClosed) return;
    timer = setTimeout(() => void connect(), times.redialMs * (0.5 + Math.random())).unref();
  }

  return {
    tried: connect(),
    close() {
      isClosed = true;
      clearTimeout(timer);
      stream?.destroy();
      agent?.destroy();
    },
  };
}

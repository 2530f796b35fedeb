import { createHash, timingSafeEqual } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type HttpLinkOptions,
  headerNames,
  isOwnMachine,
  linkPath,
  maxPostBytes,
  maxWaitingBytes,
} from "./options.js";
import type { PeerConnection } from "./peer.js";

/** A connection that another process has opened. */
export interface AcceptedPeer {
  /** Receives the bytes that the other process sends. @throws RangeError for what is not a frame. */
  receive(bytes: Uint8Array): void;
  closed(): void;
}

/** Maximum number of processes that are connected. */
const maxPeers = 1_000;

/** Maximum time for flushing sent data when this process ends, in milliseconds. */
const endMs = 200;

/** Listens for other processes. @returns Its port, and a function that ends it. */
export async function acceptPeers(
  options: HttpLinkOptions & { readonly listen: NonNullable<HttpLinkOptions["listen"]> },
  onPeer: (connection: PeerConnection) => AcceptedPeer,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const { listen, mesh } = options;
  const peers = new Map<string, AcceptedPeer>();
  const streams = new Set<ServerResponse>();
  const server = await createServer(options, (request, response) => {
    void answer(request, response).catch(() => response.destroy());
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = (status: number) => void response.writeHead(status).end();
    const node = request.headers[headerNames.node];
    if (request.url !== linkPath) return refuse(404);
    if (comesFromPage(request, options)) return refuse(403);
    if (!isAuthorized(request.headers.authorization, options.token)) return refuse(401);
    if (request.headers[headerNames.mesh] !== mesh) return refuse(421);
    if (typeof node !== "string" || !/^[\w-]{16,64}$/.test(node)) return refuse(400);
    if (request.method === "GET") return peers.size < maxPeers ? open(node, response) : refuse(503);
    if (request.method !== "POST") return refuse(405);
    const peer = peers.get(node);
    if (peer === undefined) return refuse(409);
    if (Number(request.headers["content-length"] ?? Infinity) > maxPostBytes) return refuse(413);
    for await (const bytes of request) peer.receive(bytes as Uint8Array); // without an encoding they are bytes
    response.writeHead(204).end();
  }

  function open(node: string, response: ServerResponse): void {
    response.writeHead(200, {
      "content-type": "application/octet-stream",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
    });
    response.flushHeaders();
    response.socket?.setNoDelay(true).setKeepAlive(true, 5_000);
    const peer = onPeer({
      send(frame) {
        if (response.writableLength > maxWaitingBytes) response.destroy();
        else if (response.writable) response.write(frame);
      },
      flush: () =>
        new Promise((resolve) => {
          if (response.writable) response.write("", () => resolve());
          else resolve();
        }),
      close: () => response.destroy(),
    });
    peers.set(node, peer);
    streams.add(response);
    response.on("close", () => {
      streams.delete(response);
      if (peers.get(node) === peer) peers.delete(node);
      peer.closed();
    });
  }

  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen.port ?? 0, listen.host ?? "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    port,
    async close() {
      server.close();
      const ended = [...streams].map((each) => new Promise<void>((resolve) => each.end(resolve)));
      const limit = new Promise((resolve) => setTimeout(resolve, endMs).unref());
      await Promise.race([Promise.all(ended), limit]);
      server.closeAllConnections();
    },
  };
}

async function createServer(
  { tls }: HttpLinkOptions,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  if (tls?.certFile === undefined || tls.keyFile === undefined) {
    const { createServer: create } = await import("node:http");
    return create(answer);
  }
  const { createServer: create } = await import("node:https");
  return create({ cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) }, answer);
}

/**
 * Whether a page in a browser may have sent a request. Processes do not send `Origin`. Without a token, which a page
 * does not have, `Host` must name this machine, which prevents DNS rebinding.
 */
function comesFromPage(
  { headers: { host = "", origin, "sec-fetch-site": site } }: IncomingMessage,
  { token }: HttpLinkOptions,
): boolean {
  if (origin !== undefined || site !== undefined) return true;
  return token === undefined && !isOwnMachine(host.replace(/:\d+$/, ""));
}

function isAuthorized(header: string | undefined, token: string | undefined): boolean {
  if (token === undefined) return true;
  const hash = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(header ?? ""), hash(`Bearer ${token}`));
}

import { lookup } from "node:dns/promises";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { ServerLimits } from "../limits.js";
import { handleClientError } from "./client-error.js";
import type { Connections } from "./connections.js";

/** The sockets of one server. */
export interface Listener {
  /**
   * Listens on every address of a host.
   *
   * @returns The port.
   * @throws Error as Node.js reports it, such as `EADDRINUSE`, when the first address is not free.
   */
  listen(host: string, port: number): Promise<number>;
  /** Stops listening, closes connections once their response is sent, and cuts the rest. */
  close(): Promise<void>;
}

/** How often connections are checked for a request that takes too long to arrive, in milliseconds. */
const checkIntervalMs = 2_000;
const keepAliveMs = 5_000;
/** Maximum time for the rest of a body whose request was answered before it arrived, in milliseconds. */
const bodyRestMs = 2_000;
/** Time for cancelled requests to send their response, before connections are cut, in milliseconds. */
export const closeGraceMs = 1_000;
const sweepMs = 10;

/** Creates a listener. It listens once `listen` is called. */
export function createListener(
  handle: RequestListener,
  connections: Connections,
  { headersMs, requestMs }: Pick<ServerLimits, "headersMs" | "requestMs">,
): Listener {
  const servers: Server[] = [];

  async function listenOn(host: string, port: number): Promise<Server> {
    const server = createServer(
      {
        headersTimeout: headersMs,
        requestTimeout: Math.max(headersMs, requestMs),
        connectionsCheckingInterval: Math.min(checkIntervalMs, headersMs, requestMs),
        keepAliveTimeout: keepAliveMs,
      },
      (request, response) => {
        response.once("finish", () => {
          if (request.complete) return;
          const timer = setTimeout(() => request.destroy(), bodyRestMs);
          request.once("close", () => clearTimeout(timer));
        });
        handle(request, response);
      },
    );
    server.on("clientError", handleClientError);
    connections.bound(server);
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen({ host, port }, () => {
        server.off("error", reject);
        resolve();
      });
    });
    servers.push(server);
    return server;
  }

  return {
    async listen(host, port) {
      const server = await listenOn(host, port);
      const { address, port: actual } = server.address() as AddressInfo; // it listens on TCP
      if (host === "localhost") {
        const others = (await lookup(host, { all: true }).catch(() => [])).filter(
          (each) => each.address !== address,
        );
        // A machine may have addresses of one family only: the first address is enough.
        await Promise.allSettled(others.map((other) => listenOn(other.address, actual)));
      }
      return actual;
    },
    async close() {
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      // A connection is idle only once its last response has been sent.
      const sweep = setInterval(() => {
        for (const server of servers) server.closeIdleConnections();
      }, sweepMs);
      const cut = setTimeout(() => {
        for (const server of servers) server.closeAllConnections();
      }, closeGraceMs);
      await Promise.all(closed);
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

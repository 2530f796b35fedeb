import {
  createServer,
  type IncomingMessage,
  request as openRequest,
  type RequestListener,
} from "node:http";
import { type Duplex, duplexPair, pipeline, Readable } from "node:stream";
import type { Caller, CallerOf } from "./caller.js";
import { handleClientError } from "./client-error.js";
import { closeGraceMs } from "./listener.js";
import { Problem, responseTo } from "./problem.js";

/** Answers web-standard requests with a listener of Node.js, without sockets. */
export interface InMemoryServer {
  readonly callerOf: CallerOf;
  /**
   * Answers one request. The response's body streams as fast as it is read, and cancelling it, or aborting the
   * signal of the request, disconnects the client.
   *
   * @throws the reason of the request's signal; Error where the request cannot be read.
   */
  exchange(request: Request, url: URL, caller: Caller): Promise<Response>;
  /** Waits a moment for responses that are being read, then disconnects every client. */
  close(): Promise<void>;
}

/**
 * Each request has a connection of its own, a pair of streams, with Node.js's own HTTP on both ends: backpressure,
 * disconnects and limits are those of a socket.
 *
 * @param bodyMs - Maximum time for a body to arrive, in milliseconds.
 */
export function createInMemoryServer(handle: RequestListener, bodyMs: number): InMemoryServer {
  const callers = new WeakMap<Duplex, Caller>();
  const clients = new Set<Duplex>();
  let onEmpty: () => void = () => undefined;
  const server = createServer(handle);
  server.on("clientError", handleClientError);

  function connect(caller: Caller): Duplex {
    const [client, served] = duplexPair();
    callers.set(served, caller);
    clients.add(client);
    client.on("error", () => undefined);
    client.once("close", () => {
      clients.delete(client);
      if (clients.size === 0) onEmpty();
      served.destroy();
    });
    served.once("close", () => {
      if (!served.writableFinished) client.destroy(); // cut, not ended
    });
    const { address, origin = "" } = caller;
    // The part of a socket that Node.js and fastify use.
    Object.assign(served, {
      remoteAddress: address,
      encrypted: origin.startsWith("https:"),
      destroySoon: () => served.end(() => served.destroy()),
    });
    server.emit("connection", served);
    return client;
  }

  return {
    callerOf: ({ socket }) => callers.get(socket),
    async exchange(request, { pathname, search, host, origin }, caller) {
      const { method, signal, body } = request;
      signal.throwIfAborted();
      const client = connect({ ...caller, origin });
      const outgoing = openRequest({
        method,
        path: `${pathname}${search}`,
        headers: copyHeaders(request, host),
        createConnection: () => client,
      });
      const disconnect = () => client.destroy();
      signal.addEventListener("abort", disconnect, { once: true });
      client.once("close", () => signal.removeEventListener("abort", disconnect));
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        outgoing.once("response", resolve);
        outgoing.on("error", reject); // stays, because a body that is not read to its end fails later
      });
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        disconnect();
      }, bodyMs);
      outgoing.once("finish", () => clearTimeout(timer));
      client.once("close", () => clearTimeout(timer));
      if (body === null) outgoing.end();
      else pipeline(Readable.fromWeb(body as never), outgoing, () => undefined); // the two types of one standard
      try {
        return toResponse(await answered, client, method);
      } catch (thrown) {
        client.destroy();
        signal.throwIfAborted();
        if (!isLate) throw thrown;
        return responseTo(
          new Problem(408, "INVALID_QUERY", "body: it did not arrive in time.", {
            suggestion: `Send the whole body within ${bodyMs} ms.`,
            details: { field: "body" },
          }),
        );
      }
    },
    async close() {
      if (clients.size > 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, closeGraceMs);
          onEmpty = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      for (const client of clients) client.destroy();
    },
  };
}

function copyHeaders({ headers: given, body }: Request, host: string): Record<string, string> {
  const headers: Record<string, string> = { host };
  for (const [name, value] of given) {
    if (!connectionHeaders.has(name) && name !== "content-length") headers[name] = value;
  }
  if (body !== null) headers["transfer-encoding"] = "chunked"; // the length may be that of another encoding
  // The client closes the connection once it has read everything.
  return { ...headers, connection: "keep-alive" };
}

/** @param client - Closed once both ends are through with the exchange. */
function toResponse(message: IncomingMessage, client: Duplex, method: string): Response {
  const { statusCode: status = 500, rawHeaders } = message;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    if (!connectionHeaders.has(name.toLowerCase())) headers.append(name, value);
  }
  message.once("close", () => setImmediate(() => client.destroy()));
  if (method === "HEAD" || status === 204 || status === 304) {
    message.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(message) as never, { status, headers });
}

/** Headers of one connection, and of how a body is sent over it. */
export const connectionHeaders: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "transfer-encoding",
  "upgrade",
  "trailer",
  "te",
  "expect",
]);

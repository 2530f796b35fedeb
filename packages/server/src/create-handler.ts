import type { IncomingMessage, RequestListener } from "node:http";
import type { Router } from "@constellation/core";
import { createApplication } from "./application.js";
import type { Caller, CallerInfo } from "./http/caller.js";
import { createInMemoryServer } from "./http/in-memory.js";
import { Problem, responseTo } from "./http/problem.js";
import type { ServerOptions } from "./options.js";
import { parseServerOptions } from "./settings.js";

/**
 * A router's HTTP API and page, as a function that answers requests: for Hono, Next.js, and everything else that
 * speaks web-standard `Request` and `Response`.
 */
export interface MeshHandler {
  /**
   * Answers a request. Both bodies stream. When its signal aborts, or the response's body is
   * cancelled, the client counts as disconnected.
   *
   * @param caller - What the application knows about the caller.
   * @returns Rejects only with the reason of the request's signal, or as `ready` does.
   */
  (request: Request, caller?: CallerInfo): Promise<Response>;
  /**
   * A listener of Node.js that does the same, for `node:http`, Express and Fastify, without copying the request. The
   * application must not have read its body.
   *
   * @param callerOf - What the application knows about the caller of a request.
   */
  nodeListener(callerOf?: (request: IncomingMessage) => CallerInfo | undefined): RequestListener;
  /** Resolves when the handler is ready; requests wait for it. Rejects as `createServer` does. */
  readonly ready: Promise<void>;
  /**
   * Refuses new requests, lets runs end within `limits.drainMs`, and cancels the rest. The router stays open: close
   * it afterwards. Never rejects.
   */
  close(): Promise<void>;
}

/**
 * Creates a handler for a router, for an application that listens itself. Without `auth` and `allowAnonymous: true`
 * each request needs a user, from the application.
 *
 * @param options - As for `createServer`, `debug` excepted. The limits of connections are the application's own.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createHandler(router: Router, options: ServerOptions = {}): MeshHandler {
  const parsed = parseServerOptions(options);
  if (parsed.debug) {
    throw new RangeError(
      "debug: it shows stacks, and who reaches the application is not known here. Use `createServer`, which then listens on loopback only.",
    );
  }
  // The application may pass users without `auth`: each run is shown to its own user.
  const settings =
    options.mayReadRun === undefined && parsed.auth === undefined
      ? { ...parsed, hasUsers: true, mayReadRun: isOwn }
      : { ...parsed, hasUsers: true };
  const passed = new WeakMap<IncomingMessage, Caller>();
  const application = createApplication(
    router,
    settings,
    (request) => passed.get(request) ?? inMemory.callerOf(request),
  );
  let handle: RequestListener | undefined;
  const ready = application.then((made) => {
    handle = made.handle;
  });
  ready.catch(() => undefined); // each request reports it
  const inMemory = createInMemoryServer(
    (request, response) => handle?.(request, response),
    settings.limits.requestMs,
  );
  let closing: Promise<void> | undefined;
  let isClosed = false;

  const answer = async (request: Request, caller: CallerInfo = {}): Promise<Response> => {
    await ready;
    return isClosed ? closed() : inMemory.exchange(request, new URL(request.url), caller);
  };
  return Object.assign(answer, {
    ready,
    nodeListener:
      (callerOf?: (request: IncomingMessage) => CallerInfo | undefined): RequestListener =>
      (request, response) => {
        const caller = callerOf?.(request);
        if (caller !== undefined) passed.set(request, caller);
        void ready.then(
          () => handle?.(request, response),
          () => response.writeHead(500).end(),
        );
      },
    close() {
      closing ??= closeAll();
      return closing;
    },
  });

  async function closeAll(): Promise<void> {
    const made = await application.catch(() => undefined);
    await made?.close(async () => {
      isClosed = true;
      await inMemory.close();
    });
  }
}

function isOwn(user: CallerInfo["user"], run: { readonly user?: CallerInfo["user"] }): boolean {
  return user?.id === run.user?.id;
}

function closed(): Response {
  const headers = { "retry-after": "5" };
  return responseTo(new Problem(503, "SERVICE_UNAVAILABLE", "The server is closing.", { headers }));
}

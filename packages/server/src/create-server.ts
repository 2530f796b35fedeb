import { randomUUID } from "node:crypto";
import type { Router } from "@constellation/core";
import rateLimit from "@fastify/rate-limit";
import { type FastifyInstance, fastify } from "fastify";
import { addAskRoutes } from "./ask/ask-routes.js";
import { isLoopback } from "./auth/auth-options.js";
import { addConsoleRoutes } from "./console/console-routes.js";
import { answerError, answerErrors } from "./http/answer-errors.js";
import { answerUnreadable } from "./http/answer-unreadable.js";
import { createGate } from "./http/gate.js";
import { logRequests } from "./http/request-log.js";
import { apiHeaders } from "./http/security-headers.js";
import { createWork } from "./http/work.js";
import { addMeshRoutes } from "./mesh/mesh-routes.js";
import { createMetrics } from "./metrics/metrics.js";
import { addMetricsRoutes } from "./metrics/metrics-routes.js";
import { addMounts } from "./mounts/mount-routes.js";
import { addOpenApiRoutes } from "./openapi/openapi-routes.js";
import { describeValue } from "./option-error.js";
import { checkOptions, type ServerOptions, type ServerSettings } from "./options.js";
import { addRunRoutes } from "./runs/run-routes.js";
import { createRunStore } from "./runs/run-store.js";
import type { Service } from "./service.js";

/** A router, served over HTTP. */
export interface MeshServer {
  /**
   * Starts to take requests.
   *
   * @throws RangeError for a host other than loopback without `auth`, unless `allowAnonymous` is true.
   * @throws Error as Node.js gives it, such as `EADDRINUSE`.
   */
  listen(options?: ListenOptions): Promise<ServerAddress>;
  /**
   * Stops taking requests, lets runs end within `limits.drainMs`, cancels the rest, and closes every
   * connection. The router stays open: close it afterwards. Never rejects.
   */
  close(): Promise<void>;
}

/** Where to listen. */
export interface ListenOptions {
  /**
   * Name or address to listen on.
   *
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * 0 to 65535; 0 takes any that is free.
   *
   * @default 0
   */
  readonly port?: number | undefined;
}

/** Where a server listens. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
}

/** Time for what was cancelled to say so, before connections are cut. */
const lastWordsMs = 1_000;
const sweepMs = 10;

/**
 * Makes a server for a router. It listens once `listen` is called.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export async function createServer(
  router: Router,
  options: ServerOptions = {},
): Promise<MeshServer> {
  const settings = checkOptions(options);
  const runs = createRunStore(router, settings.limits);
  const work = createWork(settings.limits.concurrency);
  const metrics = createMetrics(router, {
    runs: () => runs.inFlight,
    requests: () => work.size,
  });
  const service: Service = { router, settings, work, runs, metrics };
  const app = await appOf(service);
  let closing: Promise<void> | undefined;

  return {
    async listen({ host = "127.0.0.1", port = 0 } = {}) {
      requireAddress(host, port);
      refuseOpenDoor(host, settings);
      await app.listen({ host, port });
      const address = app.server.address();
      const actual = typeof address === "object" && address !== null ? address.port : port;
      const name = host.includes(":") ? `[${host}]` : host;
      return { host, port: actual, url: `http://${name}:${actual}` };
    },
    close() {
      closing ??= closeAll(app, service);
      return closing;
    },
  };
}

async function appOf(service: Service): Promise<FastifyInstance> {
  const { settings, metrics } = service;
  const { limits, trustedProxies } = settings;
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    requestTimeout: 30_000, // for the request to arrive, not for its answer
    keepAliveTimeout: 5_000,
    exposeHeadRoutes: false, // a HEAD of /ask/stream must not ask
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers["x-request-id"]),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    clientErrorHandler: answerUnreadable,
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply.headers(apiHeaders)); // no hook has run yet
    },
  });
  app.server.maxConnections = limits.connections;
  app.decorateRequest("user", undefined);
  app.decorateRequest("runId", undefined);
  app.decorateRequest("failure", undefined);
  app.removeContentTypeParser("text/plain"); // JSON only, so that a foreign page must ask first
  await app.register(rateLimit, { global: false });
  logRequests(app, settings.log, metrics);
  const gate = createGate(app, settings);
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...apiHeaders, "x-request-id": request.id });
    if (!request.is404) await gate(request, reply);
  });
  answerErrors(app);
  addAskRoutes(app, service);
  addRunRoutes(app, service);
  addMeshRoutes(app, service);
  addMetricsRoutes(app, service);
  addOpenApiRoutes(app, service);
  if (settings.console) await addConsoleRoutes(app);
  await addMounts(app, service);
  await app.ready();
  return app;
}

/** The caller's own id, where it is one that can stand in a log line. */
function requestIdOf(given: unknown): string {
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

function requireAddress(host: unknown, port: unknown): void {
  if (typeof host !== "string" || host === "") {
    throw new TypeError(`host: expected a name or an address, got ${describeValue(host)}.`);
  }
  if (typeof port !== "number" || !Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`port: expected an integer from 0 to 65535, got ${describeValue(port)}.`);
  }
}

function refuseOpenDoor(host: string, { auth, allowAnonymous }: ServerSettings): void {
  if (isLoopback(host) || auth !== undefined || allowAnonymous) return;
  throw new RangeError(
    `host: ${describeValue(host)} can be reached from outside, and nobody has to say who they are. Give \`auth\`, or say \`allowAnonymous: true\`.`,
  );
}

async function closeAll(app: FastifyInstance, { work, runs, metrics, settings }: Service) {
  const { server } = app;
  const drained = work.drain(settings.limits.drainMs);
  // Stops listening at once; what is under way goes on.
  server.close();
  await drained;
  // A connection is idle only once its last response has gone out.
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  const cut = setTimeout(() => server.closeAllConnections(), lastWordsMs);
  await app.close().catch(() => undefined);
  clearInterval(sweep);
  clearTimeout(cut);
  runs.close();
  metrics.close();
}

import { randomUUID } from "node:crypto";
import type { Router } from "@constellation/core";
import { describeValue } from "@constellation/core/authoring";
import rateLimit from "@fastify/rate-limit";
import { type FastifyInstance, fastify } from "fastify";
import { addAskRoutes } from "./ask/ask-routes.js";
import { isLoopback } from "./auth/auth-options.js";
import { addResourceMetadata } from "./auth/resource-metadata.js";
import { addConsoleRoutes } from "./console/console-routes.js";
import { createAdmission } from "./http/admission.js";
import { answerError, answerErrors } from "./http/answer-errors.js";
import { type Connections, createConnections, createNetworkMatcher } from "./http/connections.js";
import { createListener, type Listener } from "./http/listener.js";
import { logRequests } from "./http/request-log.js";
import { apiHeaders } from "./http/security-headers.js";
import { createWork } from "./http/work.js";
import { addMeshRoutes } from "./mesh/mesh-routes.js";
import { createMetrics } from "./metrics/metrics.js";
import { addMetricsRoutes } from "./metrics/metrics-routes.js";
import { addMounts } from "./mounts/mount-routes.js";
import { addOpenApiRoutes } from "./openapi/openapi-routes.js";
import type { ServerOptions } from "./options.js";
import { openRunFolder } from "./runs/run-folder.js";
import { addRunRoutes } from "./runs/run-routes.js";
import { createRunStore } from "./runs/run-store.js";
import type { Service } from "./service.js";
import { parseServerOptions, type ServerSettings } from "./settings.js";

/** A router, served over HTTP. */
export interface MeshServer {
  /**
   * Starts to accept requests.
   *
   * @throws RangeError for a host other than loopback without `auth`, unless `allowAnonymous` is true.
   * @throws Error of Node.js, such as `EADDRINUSE`.
   */
  listen(options?: ListenOptions): Promise<ServerAddress>;
  /**
   * Refuses new requests, lets runs end within `limits.drainMs`, cancels the rest, and closes every
   * connection. The router stays open: close it afterwards. Never rejects.
   */
  close(): Promise<void>;
}

/** Address to listen on. */
export interface ListenOptions {
  /**
   * Name or address to listen on.
   *
   * @default "127.0.0.1"
   */
  readonly host?: string | undefined;
  /**
   * Port, 0 to 65535; 0 chooses a free one.
   *
   * @default 0
   */
  readonly port?: number | undefined;
}

/** Address that a server listens on. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
  /** As in `http://127.0.0.1:8080`. */
  readonly url: string;
}

/**
 * Creates a server for a router. It listens once `listen` is called.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export async function createServer(
  router: Router,
  options: ServerOptions = {},
): Promise<MeshServer> {
  const settings = parseServerOptions(options);
  const runs = createRunStore(router, { ...settings, folder: await folderOf(settings) });
  const work = createWork(settings.limits);
  const metrics = createMetrics(router, {
    runs: () => runs.inFlight,
    requests: () => work.size,
  });
  const service: Service = { router, settings, work, runs, metrics };
  const connections = createConnections(
    settings.limits,
    createNetworkMatcher(settings.trustedProxies),
  );
  const app = await appOf(service, connections);
  const listener = createListener(app.routing, connections, settings.limits);
  let closing: Promise<void> | undefined;

  return {
    async listen({ host = "127.0.0.1", port = 0 } = {}) {
      requireAddress(host, port);
      assertAuthForPublicHost(host, settings);
      const actual = await listener.listen(host, port);
      const name = host.includes(":") ? `[${host}]` : host;
      return { host, port: actual, url: `http://${name}:${actual}` };
    },
    close() {
      closing ??= closeAll(app, listener, service);
      return closing;
    },
  };
}

/** The folder of runs, where there is one. @throws TypeError where it cannot be made or read. */
async function folderOf({ runsFolder, limits }: ServerSettings) {
  if (runsFolder === undefined) return undefined;
  const { storedRunBytes: maxBytes, storedRunAgeMs: maxAgeMs } = limits;
  const warn = (problem: string) =>
    process.emitWarning(problem, { type: "ConstellationWarning", code: "CONSTELLATION_RUNS" });
  try {
    return await openRunFolder(runsFolder, { maxBytes, maxAgeMs }, warn);
  } catch (thrown) {
    const { code = "unknown" } = thrown as NodeJS.ErrnoException;
    throw new TypeError(`runsFolder: the folder cannot be made or read (${code}).`, {
      cause: thrown,
    });
  }
}

async function appOf(service: Service, connections: Connections): Promise<FastifyInstance> {
  const { settings, metrics, work } = service;
  const { limits, trustedProxies } = settings;
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false, // a HEAD of /ask/stream must not ask
    requestIdHeader: false,
    genReqId: ({ headers }) => requestIdOf(headers["x-request-id"]),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: { maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply.headers(apiHeaders)); // no hook has run yet
    },
  });
  app.decorateRequest("user", undefined);
  app.decorateRequest("runId", undefined);
  app.decorateRequest("failure", undefined);
  app.removeContentTypeParser("text/plain"); // JSON only, so that a page of another origin needs a preflight
  await app.register(rateLimit, { global: false });
  logRequests(app, settings.log, metrics);
  const admit = createAdmission(app, settings, { connections, work });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...apiHeaders, "x-request-id": request.id });
    if (work.isDraining || connections.isReserve(request.raw.socket))
      reply.header("connection", "close");
    if (!request.is404) await admit(request);
  });
  answerErrors(app);
  addAskRoutes(app, service);
  addRunRoutes(app, service);
  addMeshRoutes(app, service);
  addMetricsRoutes(app, service);
  addOpenApiRoutes(app, service);
  addResourceMetadata(app, service);
  if (settings.console) await addConsoleRoutes(app);
  await addMounts(app, service);
  await app.ready();
  return app;
}

/** The caller's own id, where it is safe in a log line. */
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

function assertAuthForPublicHost(
  host: string,
  { auth, allowAnonymous, debug }: ServerSettings,
): void {
  if (isLoopback(host)) return;
  if (debug) {
    throw new RangeError(
      `host: ${describeValue(host)} can be reached from outside, and \`debug\` shows stacks. Leave \`debug\` out, or listen on 127.0.0.1.`,
    );
  }
  if (auth !== undefined || allowAnonymous) return;
  throw new RangeError(
    `host: ${describeValue(host)} can be reached from outside without authentication. Pass \`auth\`, or set \`allowAnonymous: true\`.`,
  );
}

/** Health stays readable until the last run has ended. */
async function closeAll(
  app: FastifyInstance,
  listener: Listener,
  { work, runs, metrics, settings }: Service,
) {
  await work.drain(settings.limits.drainMs);
  await listener.close();
  await app.close().catch(() => undefined);
  await runs.close();
  metrics.close();
}

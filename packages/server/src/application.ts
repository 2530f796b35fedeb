import { randomUUID } from "node:crypto";
import type { RequestListener } from "node:http";
import type { Router, User } from "@constellation/core";
import rateLimit from "@fastify/rate-limit";
import { type FastifyInstance, fastify } from "fastify";
import { addAskRoutes } from "./ask/ask-routes.js";
import { addResourceMetadata } from "./auth/resource-metadata.js";
import { addConsoleRoutes } from "./console/console-routes.js";
import { catchRejections } from "./faults/catch-rejections.js";
import { createAdmission } from "./http/admission.js";
import { answerError, answerErrors } from "./http/answer-errors.js";
import type { CallerOf } from "./http/caller.js";
import { type Connections, createConnections, createNetworkMatcher } from "./http/connections.js";
import { createOriginReader } from "./http/origin.js";
import { Problem } from "./http/problem.js";
import { logRequests } from "./http/request-log.js";
import { apiHeaders } from "./http/security-headers.js";
import { createWork } from "./http/work.js";
import { addEventRoutes } from "./journal/event-routes.js";
import { addForkRoutes } from "./journal/fork-routes.js";
import { addJournalRoutes } from "./journal/journal-routes.js";
import { openWebhooks } from "./journal/webhooks.js";
import { addMeshRoutes } from "./mesh/mesh-routes.js";
import { addMetricsRoutes, createMetrics } from "./metrics.js";
import { addMounts } from "./mounts/mount-routes.js";
import { addOpenApiRoutes } from "./openapi/openapi.js";
import { addFeedbackRoutes } from "./runs/feedback-routes.js";
import { addRunRoutes } from "./runs/run-routes.js";
import { createRunStore } from "./runs/run-store.js";
import { addStatsRoutes } from "./runs/stats-routes.js";
import { openStoredRuns } from "./runs/stored-runs.js";
import type { Service } from "./service.js";
import type { ServerSettings } from "./settings.js";
import { addThreadRoutes } from "./threads/thread-routes.js";

/** The HTTP API and the console page of a router, independent of how requests arrive. */
export interface Application {
  /** Listener for requests of Node.js. */
  readonly handle: RequestListener;
  /** Limits the connections of the server that passes requests to it. */
  readonly connections: Connections;
  /**
   * Refuses new requests, lets runs end within `limits.drainMs`, and cancels the rest. Health stays readable
   * until the last run has ended. Never rejects.
   *
   * @param closeConnections - Called when nothing is in progress any more.
   */
  close(closeConnections: () => Promise<void>): Promise<void>;
}

/**
 * Creates an application.
 *
 * @param callerOf - Finds what the embedding application passed with a request.
 * @throws Error where the journal cannot be opened, RangeError for a path offered twice.
 */
export async function createApplication(
  router: Router,
  settings: ServerSettings,
  callerOf?: CallerOf,
): Promise<Application> {
  const stored = await openStored(settings);
  const work = createWork(router, settings.limits);
  const runs = createRunStore(router, {
    ...settings,
    stored,
    originOf: () => work.origin,
    readOwner: settings.journal && ((runId) => readOwner(settings.journal, runId)),
  });
  const metrics = createMetrics(router, {
    runs: () => runs.inFlight,
    requests: () => work.size,
  });
  const { onUnhandledRejection } = settings;
  const stopCatching =
    onUnhandledRejection &&
    catchRejections(router, (rejection) => {
      metrics.rejection(rejection.librarian);
      onUnhandledRejection(rejection);
    });
  const originOf = createOriginReader(settings, callerOf);
  const { journal, webhooks: calls } = settings;
  const webhooks = journal && calls && openWebhooks(router, journal, calls, warn);
  const service: Service = { router, settings, originOf, work, runs, metrics, webhooks };
  const connections = createConnections(
    settings.limits,
    createNetworkMatcher(settings.trustedProxies),
  );
  const app = await buildApp(service, connections, callerOf);

  return {
    handle: app.routing,
    connections,
    async close(closeConnections) {
      await work.drain(settings.limits.drainMs);
      await closeConnections();
      await app.close().catch(() => undefined);
      await webhooks?.close();
      await runs.close();
      stopCatching?.();
      metrics.close();
      work.close();
    },
  };
}

/** Where runs are stored, if anywhere. @throws Error where the journal cannot be opened. */
async function openStored({ journal, limits }: ServerSettings) {
  if (journal === undefined) return undefined;
  await journal.runs({ limit: 1 }); // opens its store
  return openStoredRuns(journal.store, {
    maxBytes: limits.storedRunBytes,
    maxAgeMs: limits.storedRunAgeMs,
    onProblem: warn,
  });
}

function warn(problem: string): void {
  process.emitWarning(problem, { type: "ConstellationWarning", code: "CONSTELLATION_RUNS" });
}

/** The user of a journaled run. */
async function readOwner(
  journal: ServerSettings["journal"],
  runId: string,
): Promise<User | undefined> {
  const user = (await journal?.store.readRun(runId))?.user;
  return user === undefined ? undefined : { id: user };
}

async function buildApp(
  service: Service,
  connections: Connections,
  callerOf: CallerOf | undefined,
): Promise<FastifyInstance> {
  const { settings, originOf, metrics, work } = service;
  const { limits, trustedProxies, basePath } = settings;
  const app = fastify({
    bodyLimit: limits.bodyBytes,
    exposeHeadRoutes: false, // a HEAD request to /ask/stream must not start a run
    requestIdHeader: false,
    genReqId: ({ headers }) => readRequestId(headers["x-request-id"]),
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: { maxParamLength: 200 },
    rewriteUrl: ({ url = "/" }) => withoutBasePath(url, basePath),
    frameworkErrors: (error, request, reply) => {
      answerError(error, request, reply.headers(apiHeaders)); // no hook has run yet
    },
  });
  app.decorateRequest("user", undefined);
  app.decorateRequest("observed", false);
  app.decorateRequest("runId", undefined);
  app.decorateRequest("failure", undefined);
  app.decorateRequest("code", undefined);
  app.removeContentTypeParser("text/plain"); // JSON only, so that a page of another origin needs a preflight
  await app.register(rateLimit, { global: false });
  logRequests(app, settings.log, metrics);
  const admit = createAdmission(app, settings, { connections, work, originOf, callerOf });
  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ ...apiHeaders, "x-request-id": request.id });
    if (work.isDraining || connections.isReserve(request.raw.socket))
      reply.header("connection", "close");
    if (request.is404) return;
    try {
      await admit(request);
    } catch (thrown) {
      const isRefused = thrown instanceof Problem && refusals.has(thrown.status);
      if (isRefused && connections.isCrowded) reply.header("connection", "close");
      throw thrown;
    }
  });
  answerErrors(app);
  addAskRoutes(app, service);
  addRunRoutes(app, service);
  addFeedbackRoutes(app, service);
  addStatsRoutes(app, service);
  addJournalRoutes(app, service);
  addForkRoutes(app, service);
  addThreadRoutes(app, service);
  await addEventRoutes(app, service);
  addMeshRoutes(app, service);
  addMetricsRoutes(app, service);
  addOpenApiRoutes(app, service);
  addResourceMetadata(app, service);
  if (settings.console) await addConsoleRoutes(app, basePath);
  await addMounts(app, service);
  await app.ready();
  return app;
}

/** Statuses of requests that are refused because there are too many. */
const refusals: ReadonlySet<number> = new Set([429, 503]);

/** The id that the caller sent, if it is safe in a log line. */
function readRequestId(given: unknown): string {
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** The URL of a request without the base path. */
function withoutBasePath(url: string, basePath: string): string {
  if (basePath === "" || !url.startsWith(basePath)) return url;
  const rest = url.slice(basePath.length);
  if (rest === "" || rest.startsWith("?")) return `/${rest}`;
  return rest.startsWith("/") ? rest : url;
}

import type { FastifyInstance } from "fastify";
import type { Metrics } from "../metrics/metrics.js";
import type { RequestLog } from "../options.js";

/** Tells of each request that is over. A `log` that throws changes nothing. */
export function logRequests(
  app: FastifyInstance,
  log: ((line: RequestLog) => void) | undefined,
  metrics: Metrics,
): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.is404 ? "unknown" : (request.routeOptions.url ?? "unknown");
    const { method, user, runId, failure } = request;
    metrics.request(route, method, reply.statusCode);
    try {
      log?.({
        requestId: request.id,
        method,
        route,
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
        ...(user !== undefined && { userId: user.id }),
        ...(runId !== undefined && { runId }),
        ...(failure !== undefined && { failure }),
      });
    } catch {
      // Whoever writes logs must not break what is logged.
    }
  });
}

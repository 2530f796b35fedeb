import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../metrics/metrics.js";
import type { RequestLog } from "../options.js";

/** Status in logs and metrics of a request whose client left before the end, as nginx has it. */
const clientLeft = 499;

/** Tells of each request that is over, however it ended. A `log` that throws changes nothing. */
export function logRequests(
  app: FastifyInstance,
  log: ((line: RequestLog) => void) | undefined,
  metrics: Metrics,
): void {
  function tell(request: FastifyRequest, reply: FastifyReply): void {
    const { method, user, runId, failure } = request;
    const route = request.is404 ? "unknown" : (request.routeOptions.url ?? "unknown");
    const status = reply.raw.writableFinished ? reply.raw.statusCode : clientLeft;
    metrics.request(route, method, status);
    try {
      log?.({
        requestId: request.id,
        method,
        route,
        status,
        durationMs: Math.round(reply.elapsedTime),
        ...(user !== undefined && { userId: user.id }),
        ...(runId !== undefined && { runId }),
        ...(failure !== undefined && { failure }),
      });
    } catch {
      // Whoever writes logs must not break what is logged.
    }
  }
  // Not `onResponse`, which does not happen when the client leaves.
  app.addHook("onRequest", async (request, reply) => {
    reply.raw.once("close", () => tell(request, reply));
  });
}

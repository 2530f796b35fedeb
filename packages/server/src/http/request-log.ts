import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Metrics } from "../metrics.js";
import type { RequestLog } from "../options.js";

/** Status in logs and metrics of a request whose client disconnected first, as in nginx. */
const clientDisconnected = 499;

/** Logs each request when it has ended. Exceptions thrown by `log` are caught. */
export function logRequests(
  app: FastifyInstance,
  log: ((line: RequestLog) => void) | undefined,
  metrics: Metrics,
): void {
  function logEnd(request: FastifyRequest, reply: FastifyReply): void {
    const { method, user, runId, code, failure } = request;
    const route = request.is404 ? "unknown" : (request.routeOptions.url ?? "unknown");
    const status = reply.raw.writableFinished ? reply.raw.statusCode : clientDisconnected;
    metrics.request(route, method, status);
    try {
      log?.({
        time: new Date(Date.now() - reply.elapsedTime).toISOString(),
        requestId: request.id,
        method,
        route,
        status,
        durationMs: Math.round(reply.elapsedTime),
        ...(user !== undefined && { userId: user.id }),
        ...(runId !== undefined && { runId }),
        ...(code !== undefined && { code }),
        ...(failure !== undefined && { failure }),
      });
    } catch {
      // A failing log must not fail the request.
    }
  }
  // Not `onResponse`, which is not called when the client disconnects.
  app.addHook("onRequest", async (request, reply) => {
    reply.raw.once("close", () => logEnd(request, reply));
  });
}

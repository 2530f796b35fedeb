import { errorCodes, type Response, type Run } from "@constellation/core";
import type { FastifyReply, FastifyRequest } from "fastify";
import { openRequestTrace } from "../http/request-trace.js";
import type { Service } from "../service.js";
import type { AskRequest } from "./ask-request.js";

/** A run that a request has started. */
export interface StartedRun {
  readonly run: Run;
  readonly traceId: string | undefined;
  /** Releases its place, and ends the span of the request. */
  end(status: number): void;
}

/**
 * Starts a run for a request.
 *
 * @throws Problem 503 when the server is busy or closing.
 */
export function startAsk(
  { router, settings, work, runs }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { query, ...ask }: AskRequest,
): StartedRun {
  let cancel: (reason: string) => void = () => undefined;
  const leave = work.begin({ cancel: (reason) => cancel(reason) });
  const traced = openRequestTrace(request, request.routeOptions.url ?? "/ask");
  try {
    const { user } = request;
    const { ai } = settings;
    const run = runs.withOwner(user, () =>
      router.start(query, { ...ask, user, trace: traced.place, ai }),
    );
    cancel = (reason) => run.cancel(reason);
    request.runId = run.id;
    reply.header("x-run-id", run.id);
    const traceId = traced.place?.traceId;
    if (traceId !== undefined) reply.header("x-trace-id", traceId);
    return {
      run,
      traceId,
      end(status) {
        leave();
        traced.end(status);
      },
    };
  } catch (thrown) {
    leave();
    traced.end(500);
    throw thrown;
  }
}

/** The HTTP status of a response: 200 with an answer, else the status of its error code. */
export function statusOf({ answer, error }: Response): number {
  return answer !== undefined || error === undefined ? 200 : errorCodes[error.code].httpStatus;
}

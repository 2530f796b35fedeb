import { MeshError, type Run } from "@constellation/core";
import {
  createLibrarianFilter,
  decodeCall,
  type IncomingCall,
  type LibrarianFilter,
  toAskOptions,
} from "@constellation/transport/envelope";
import type { FastifyReply, FastifyRequest } from "fastify";
import { overloaded, problemFrom } from "../http/problem.js";
import { openRequestTrace } from "../http/request-trace.js";
import { jobOf } from "../http/work.js";
import type { Service } from "../service.js";
import type { AskRequest } from "./ask-request.js";

/** A run that a request has started. */
export interface StartedRun {
  readonly run: Run;
  /** Id of the call, where a mesh made it. */
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
  /** Leaves out what its user may not read. */
  readonly filter: LibrarianFilter;
  /** Ends the request and its span. */
  end(status: number): void;
}

/**
 * Starts a run for a request.
 *
 * @throws Problem 503 when the server or the librarians are busy, or it is closing; 429 when the user has
 *   too many in progress.
 */
export async function startAsk(
  { router, settings, work }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  { query, call, background = false, webhook: _, ...ask }: AskRequest,
): Promise<StartedRun> {
  const incoming = call === undefined ? undefined : readCall(call);
  let cancel: (reason: string) => void = () => undefined;
  refuseLate(
    router,
    Math.min(ask.timeoutMs ?? settings.limits.timeoutMs, settings.limits.timeoutMs),
  );
  const place = await work.begin({
    ...jobOf(request, reply),
    cancel: (reason) => cancel(reason),
  });
  const traced = openRequestTrace(request, request.routeOptions.url ?? "/ask", incoming?.baggage);
  try {
    const { user, observed } = request;
    const { ai, trustedPeers } = settings;
    const traceId = traced.place?.traceId;
    const options = { ...ask, user, trace: traced.place, ai, observed };
    if (incoming !== undefined) {
      Object.assign(options, toAskOptions(incoming, { user, trustedPeers }));
      if (ask.metadata !== undefined) options.metadata = { ...options.metadata, ...ask.metadata };
    }
    const run = place.within({ user: options.user, traceId }, () =>
      traced.within(() => router.start(query, options)),
    );
    // In the background it ends with the router, and another process continues it.
    if (!background) cancel = (reason) => run.cancel(reason);
    request.runId = run.id;
    void run.response.then(({ answer, error }) => {
      if (answer === undefined) request.code = error?.code;
    });
    reply.header("x-run-id", run.id);
    if (traceId !== undefined) reply.header("x-trace-id", traceId);
    return {
      run,
      requestId: incoming?.requestId,
      traceId,
      filter: createLibrarianFilter(router, options.user),
      end(status) {
        place.leave();
        traced.end(status);
      },
    };
  } catch (thrown) {
    place.leave();
    traced.end(500);
    throw thrown;
  }
}

/**
 * Reads the envelope of a calling mesh.
 *
 * @throws Problem that names the field: a guard that cannot be read must not be ignored.
 */
function readCall(call: unknown): IncomingCall {
  try {
    return decodeCall(call);
  } catch (thrown) {
    throw problemFrom(MeshError.from(thrown, "server"));
  }
}

/** Refuses at once a request whose deadline would pass in the queue. */
function refuseLate(router: Service["router"], timeoutMs: number): void {
  const { estimatedWaitMs } = router.load();
  if (estimatedWaitMs < timeoutMs) return;
  throw overloaded(
    "Librarians are busy and cannot answer in time.",
    Math.min(maxRetryAfterS, Math.ceil(estimatedWaitMs / 1_000)),
  );
}

/** Longest `retry-after` of a queue, in seconds. */
const maxRetryAfterS = 60;

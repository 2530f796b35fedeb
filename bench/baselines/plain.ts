import { setMaxListeners } from "node:events";
import type { DelegateRequest, Librarian, Response } from "@constellation/core";
import {
  type Context as OtelContext,
  context as otelContexts,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { failed, isResponse } from "./check.js";
import type { Mesh } from "./variant.js";

/** Time for one hop, and most librarians on one path. */
const timeoutMs = 30_000;
const maxDepth = 100;

/**
 * The rules of a hop in the plainest way: an AbortController linked to the caller's signal, a timer
 * of its own, a Set against loops, a frozen context, a check of the response.
 */
export function createPlain({ tracer }: { tracer?: Tracer | undefined } = {}): Mesh {
  const librarians = new Map<string, Librarian>();

  async function follow(
    first: DelegateRequest & { readonly query: string },
    caller: AbortSignal,
    path: Set<string>,
    parent: OtelContext | undefined,
  ): Promise<Response> {
    let { to, query } = first;
    let within = parent;
    for (;;) {
      const librarian = librarians.get(to);
      if (librarian === undefined) return failed("NOT_FOUND", to);
      if (path.has(to)) return failed("LOOP_DETECTED", to);
      if (path.size >= maxDepth) return failed("MAX_DEPTH_EXCEEDED", to);
      path.add(to);

      let response: Response;
      if (tracer === undefined || within === undefined) {
        response = await hop(librarian, to, query, caller, path.size - 1);
      } else {
        const attributes = { "librarian.id": to, "librarian.depth": path.size - 1 };
        const span = tracer.startSpan(`ask ${to}`, { attributes }, within);
        within = trace.setSpan(within, span);
        response = await otelContexts.with(
          within,
          hop,
          undefined,
          librarian,
          to,
          query,
          caller,
          path.size - 1,
        );
        if (response.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
        else span.setAttribute("response", response.delegate === undefined ? "answer" : "delegate");
        span.end();
      }

      if (!isResponse(response)) return failed("INTERNAL_ERROR", to);
      const { delegate } = response;
      if (delegate === undefined) return response;
      if (isList(delegate)) {
        // Else Node.js warns of a leak from the eleventh branch on.
        setMaxListeners(0, caller);
        const asked = query;
        const responses = await Promise.all(
          delegate.map((each) =>
            follow({ ...each, query: each.query ?? asked }, caller, new Set(path), within),
          ),
        );
        return merged(delegate, responses);
      }
      to = delegate.to;
      query = delegate.query ?? query;
    }
  }

  return {
    add: (id, librarian) => librarians.set(id, librarian),
    ask: (to, query, signal = new AbortController().signal) =>
      follow(
        { to, query },
        signal,
        new Set(),
        tracer === undefined ? undefined : otelContexts.active(),
      ),
  };
}

function hop(
  librarian: Librarian,
  to: string,
  query: string,
  caller: AbortSignal,
  depth: number,
): Promise<Response> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const context = Object.freeze({ requestId: to, depth, signal: controller.signal });
    const settle = (response: Response) => {
      clearTimeout(timer);
      caller.removeEventListener("abort", onAbort);
      resolve(response);
    };
    const stop = (reason: unknown) => {
      settle(failed("TIMEOUT", to));
      controller.abort(reason);
    };
    const onAbort = () => stop(caller.reason);
    const timer = setTimeout(() => stop(new Error("late")), timeoutMs);
    caller.addEventListener("abort", onAbort, { once: true });
    librarian(query, context).then(settle, () => settle(failed("INTERNAL_ERROR", to)));
  });
}

function merged(asked: readonly DelegateRequest[], responses: readonly Response[]): Response {
  const branches = responses.map((response, index) => {
    const to = asked[index]?.to ?? "";
    return { to, name: to, response };
  });
  return { answer: "", metadata: { branches } };
}

function isList(delegate: Response["delegate"]): delegate is readonly DelegateRequest[] {
  return Array.isArray(delegate);
}

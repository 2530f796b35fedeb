import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Problem, sendProblem } from "./problem.js";

/** Answers every failure in the form of a response's `error`, without internal details. */
export function answerErrors(app: FastifyInstance): void {
  // Without a body it is refused like any other method, whatever its content type.
  app.addHttpMethod("QUERY", { hasBody: false, overrideExisting: true });
  const methodsAt = noteRoutes(app);
  app.setNotFoundHandler(({ method, url }, reply) => {
    const methods = methodsAt(url.split("?", 1)[0] ?? url);
    return sendProblem(reply, methods.length === 0 ? noSuchPath() : wrongMethod(method, methods));
  });
  app.setErrorHandler(answerError);
}

function noSuchPath(): Problem {
  return new Problem(404, "NOT_FOUND", "Endpoint not found.", {
    suggestion: "/openapi.json lists the endpoints.",
  });
}

function wrongMethod(method: string, methods: readonly string[]): Problem {
  const allowed = methods.join(", ");
  return new Problem(405, "INVALID_QUERY", `method: expected ${allowed}, got ${method}.`, {
    suggestion: `Send it as ${allowed}; /openapi.json describes the request.`,
    details: { field: "method" },
    headers: { allow: allowed },
  });
}

/** Answers one failure. */
export function answerError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = error instanceof Problem ? error : toProblem(error, request);
  if (problem !== undefined) return sendProblem(reply, problem);
  request.failure = error instanceof Error ? error.name : typeof error;
  return sendProblem(
    reply,
    new Problem(500, "INTERNAL_ERROR", "The server failed.", {
      suggestion: `Send its operator the request id: ${request.id}.`,
    }),
  );
}

/** Converts an error of the framework that is a mistake of the caller. */
function toProblem(error: FastifyError | Error, request: FastifyRequest): Problem | undefined {
  const { code, statusCode = 500 } = error as Partial<FastifyError>;
  const json = "Send a JSON object with `content-type: application/json`.";
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return new Problem(413, "INVALID_QUERY", "body: too large.", {
        suggestion: `Send at most ${request.routeOptions.bodyLimit} bytes.`,
        details: { field: "body" },
      });
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return new Problem(415, "INVALID_QUERY", "content-type: expected application/json.", {
        suggestion: json,
        details: { field: "content-type" },
      });
    case "FST_ERR_CTP_EMPTY_JSON_BODY":
    case "FST_ERR_CTP_INVALID_JSON_BODY":
      return new Problem(400, "INVALID_QUERY", "body: expected JSON.", {
        suggestion: json,
        details: { field: "body" },
      });
    default:
      // Other refusals of the framework: a URL that cannot be decoded, a wrong content length.
      if (statusCode < 400 || statusCode >= 500) return undefined;
      return new Problem(statusCode, "INVALID_QUERY", "The request cannot be read.", {
        suggestion: "Check its URL, its headers and its body.",
      });
  }
}

/**
 * Records every route that is added from now on. @returns A function that lists the methods of a path; empty for an
 * unknown path.
 */
function noteRoutes(app: FastifyInstance): (path: string) => readonly string[] {
  const known: { readonly methods: readonly string[]; readonly steps: readonly string[] }[] = [];
  app.addHook("onRoute", ({ method, url }) => {
    known.push({ methods: [method].flat(), steps: url.split("/") });
  });
  return (path) => {
    const steps = path.split("/");
    const methods = known.filter((route) => leadsTo(route.steps, steps)).flatMap((r) => r.methods);
    return [...new Set(methods)].sort();
  };
}

/** Whether the steps of a route, `:name` for any one and `*` for all that follow, are those of a path. */
function leadsTo(route: readonly string[], path: readonly string[]): boolean {
  const rest = route.indexOf("*");
  if (rest < 0 ? route.length !== path.length : path.length <= rest) return false;
  const fixed = rest < 0 ? route : route.slice(0, rest);
  return fixed.every((step, at) => step === path[at] || (step.startsWith(":") && path[at] !== ""));
}

import { type ErrorCode, type ErrorInfo, errorCodes, MeshError } from "@constellation/core";
import type { FastifyReply } from "fastify";
import { apiHeaders } from "./security-headers.js";

/** A request that cannot be served: status, code and message, in the form of a response's `error`. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  readonly info: ErrorInfo;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    more: {
      readonly suggestion?: string | undefined;
      readonly details?: ErrorInfo["details"];
      readonly headers?: Readonly<Record<string, string>> | undefined;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.headers = more.headers ?? {};
    this.info = {
      code,
      message,
      recoverable: errorCodes[code].retryable,
      suggestion: more.suggestion ?? errorCodes[code].suggestion,
      ...(more.details !== undefined && { details: more.details }),
    };
  }
}

/** Converts an error of the mesh for a route: a MeshError becomes a problem, anything else is unchanged. */
export function problemFrom(thrown: unknown): unknown {
  if (!(thrown instanceof MeshError)) return thrown;
  const { code, message, suggestion, details } = thrown;
  return new Problem(errorCodes[code].httpStatus, code, message, { suggestion, details });
}

/** A field of a request that is wrong. */
export function wrongField(field: string, message: string): Problem {
  return new Problem(400, "INVALID_QUERY", `${field}: ${message}.`, {
    suggestion: `Correct "${field}"; /openapi.json describes the request.`,
    details: { field },
  });
}

/** Too many requests: retry later. */
export function overloaded(
  message: string,
  retryAfterS: number,
  headers: Readonly<Record<string, string>> = {},
): Problem {
  return new Problem(503, "SERVICE_UNAVAILABLE", message, {
    suggestion: `Ask again in ${retryAfterS} s.`,
    details: { reason: "overloaded", retryAfterMs: retryAfterS * 1_000 },
    headers: { "retry-after": String(retryAfterS), ...headers },
  });
}

/** A problem as a web-standard response. */
export function responseTo({ status, headers, info }: Problem): Response {
  return Response.json({ error: info }, { status, headers: { ...apiHeaders, ...headers } });
}

/** Sends a problem. */
export function sendProblem(reply: FastifyReply, problem: Problem): FastifyReply {
  reply.request.code = problem.info.code;
  return reply.code(problem.status).headers(problem.headers).send({ error: problem.info });
}

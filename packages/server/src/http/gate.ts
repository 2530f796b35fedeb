import type { User } from "@constellation/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isLoopback } from "../auth/auth-options.js";
import { type Authenticate, createAuthenticate } from "../auth/authenticate.js";
import type { EndpointName, ServerSettings } from "../options.js";
import { Problem } from "./problem.js";

declare module "fastify" {
  interface FastifyRequest {
    /** Who asks, once the gate has let the request in. */
    user: User | undefined;
    /** The run it led to. */
    runId: string | undefined;
    /** Name of what the server itself threw. */
    failure: string | undefined;
  }
  interface FastifyContextConfig {
    /** Endpoint that `open` may name; a route without it is never open. */
    endpoint?: EndpointName;
    /** Costs next to nothing and is asked for often: not counted. */
    isUncounted?: boolean;
  }
}

/** Lets a request in, or throws the Problem that keeps it out. Runs before a body is read. */
export type Gate = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** Makes the gate: origin, then token, then rate. */
export function createGate(app: FastifyInstance, settings: ServerSettings): Gate {
  const { auth, open, limits } = settings;
  const authenticate = auth === undefined ? undefined : createAuthenticate(auth);
  const keyOf = (request: FastifyRequest) =>
    request.user === undefined ? `ip:${request.ip}` : `user:${request.user.id}`;
  const isLimited = limits.requestsPerMinute !== Number.POSITIVE_INFINITY;
  const count = app.createRateLimit({
    max: isLimited ? limits.requestsPerMinute : Number.MAX_SAFE_INTEGER,
    timeWindow: 60_000,
    keyGenerator: keyOf,
  });

  async function pass(request: FastifyRequest, increment: boolean): Promise<void> {
    if (!isLimited) return;
    const counted = await count(request, { increment });
    if (counted.isAllowed) return;
    const isOver = increment ? counted.isExceeded : counted.remaining === 0;
    if (isOver) throw tooMany(counted.ttlInSeconds, limits.requestsPerMinute);
  }

  return async (request) => {
    const { endpoint, isUncounted } = request.routeOptions.config;
    if (endpoint !== "console") refuseForeignPages(request, settings);
    const needsToken =
      authenticate !== undefined && (endpoint === undefined || !open.has(endpoint));
    if (needsToken) {
      await pass(request, false); // an address that guessed too often may not guess again
      request.user = await identify(authenticate, request, () => pass(request, true));
    }
    if (isUncounted !== true) await pass(request, true);
  };
}

async function identify(
  authenticate: Authenticate,
  request: FastifyRequest,
  countFailure: () => Promise<void>,
): Promise<User> {
  const identity = await authenticate(request.headers.authorization);
  if (identity.status === "known") return identity.user;
  if (identity.status === "unavailable") {
    throw new Problem(
      503,
      "SERVICE_UNAVAILABLE",
      "The token cannot be verified now: the identity provider does not answer.",
      { headers: { "retry-after": "5" } },
    );
  }
  await countFailure();
  const isMissing = identity.problem === "missing";
  throw new Problem(
    401,
    "UNAUTHORIZED",
    isMissing ? "A token is needed." : "The token is not valid, or no longer.",
    {
      suggestion: "Send a valid token as `authorization: Bearer TOKEN`.",
      headers: {
        "www-authenticate": isMissing ? "Bearer" : 'Bearer error="invalid_token"',
      },
    },
  );
}

function tooMany(retryAfterS: number, perMinute: number): Problem {
  const seconds = Math.max(1, retryAfterS);
  return new Problem(429, "RATE_LIMITED", `More than ${perMinute} requests in a minute.`, {
    suggestion: `Ask again in ${seconds} s.`,
    details: { retryAfterMs: seconds * 1_000 },
    headers: { "retry-after": String(seconds) },
  });
}

/**
 * A page of another site can make a browser send requests to a server on loopback, and a name that
 * suddenly points there ("DNS rebinding") can make them look like its own. Browsers say where a
 * request comes from; other clients do not, and pass.
 */
function refuseForeignPages(request: FastifyRequest, settings: ServerSettings): void {
  const { host, origin, "sec-fetch-site": site } = request.headers;
  const trusted = settings.trustedOrigins;
  if (settings.auth === undefined && !settings.allowAnonymous) {
    const name = (host ?? "").replace(/:\d+$/, "");
    if (!isLoopback(name) && !trusted.some((each) => new URL(each).host === host)) {
      throw foreign("The host name of the request is not this server's.");
    }
  }
  if (origin !== undefined && !trusted.includes(origin)) {
    if (!URL.canParse(origin) || new URL(origin).host !== host) {
      throw foreign("The request comes from a page of another origin.");
    }
  }
  if (origin === undefined && (site === "cross-site" || site === "same-site")) {
    throw foreign("The request comes from a page of another site.");
  }
}

function foreign(message: string): Problem {
  return new Problem(403, "UNAUTHORIZED", message, {
    suggestion: "Name the origin in `trustedOrigins`, if it is yours.",
  });
}

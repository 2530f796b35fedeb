import { createHash } from "node:crypto";
import type { ErrorCode, User } from "@constellation/core";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { isLoopback } from "../auth/auth-options.js";
import { createAuthenticate } from "../auth/authenticate.js";
import type { Identity } from "../auth/identity.js";
import { challengeFor } from "../auth/resource-metadata.js";
import type { EndpointName } from "../options.js";
import type { ServerSettings } from "../settings.js";
import type { CallerOf } from "./caller.js";
import type { Connections } from "./connections.js";
import type { OriginOf } from "./origin.js";
import { overloaded, Problem } from "./problem.js";
import type { Work } from "./work.js";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller, once the request is admitted; absent where no token is required. */
    user: User | undefined;
    /** Whether the metadata of its calls counts as observed. */
    observed: boolean;
    /** The run that the request started. */
    runId: string | undefined;
    /** Name of an error that the server itself threw. */
    failure: string | undefined;
    /** Code of the error that it was answered with. */
    code: ErrorCode | undefined;
  }
  interface FastifyContextConfig {
    /** Endpoint that `open` may name; a route without it is never open. */
    endpoint?: EndpointName;
    /** Needs no token, whatever `open` names. */
    isPublic?: boolean;
    /** Costs next to nothing and is requested often: not counted. */
    isUncounted?: boolean;
    /** A health probe: answered on every connection. */
    isHealth?: boolean;
    /** Takes a slot of `limits.concurrency`; without a free one the request is refused before its body is read. */
    isWork?: boolean;
  }
}

/** Admits a request, or throws the Problem that refuses it. Runs before a body is read. */
export type Admission = (request: FastifyRequest) => Promise<void>;

/** Creates the admission check: capacity, origin, token, rate. */
export function createAdmission(
  app: FastifyInstance,
  settings: ServerSettings,
  {
    connections,
    work,
    originOf,
    callerOf,
  }: {
    readonly connections: Connections;
    readonly work: Work;
    readonly originOf: OriginOf;
    /** Absent where the server listens itself. */
    readonly callerOf: CallerOf | undefined;
  },
): Admission {
  const { auth, open, limits } = settings;
  const authenticate = auth === undefined ? undefined : createAuthenticate(auth);
  const limitPerMinute = createRateLimiter(app, limits.requestsPerMinute);
  const countRequest = limitPerMinute((request) =>
    request.user === undefined ? `address:${request.ip}` : `user:${request.user.id}`,
  );
  const failureCounts = [
    limitPerMinute((request) => `address:${request.ip}`),
    limitPerMinute((request) => `token:${hashAuthorization(request.headers.authorization ?? "")}`),
  ];

  /** First, because it is cheap: a request that cannot be served costs neither the check of a token nor a body. */
  function refuseBeyondCapacity({ raw, routeOptions: { config } }: FastifyRequest): void {
    if (config.isHealth !== true && connections.isReserve(raw.socket)) {
      throw overloaded("The server has too many connections.", 1, { connection: "close" });
    }
    if (config.isWork === true) work.assertOpen();
  }

  async function refuseUnknown(identity: Unknown, request: FastifyRequest): Promise<never> {
    if (identity.status === "unknown") {
      // Counts failures only: a valid token is admitted whatever else its address sends.
      for (const count of failureCounts) await count(request);
    }
    throw unauthorized(identity, challengeFor(request, originOf(request), settings, identity));
  }

  return async (request) => {
    refuseBeyondCapacity(request);
    const { endpoint, isUncounted, isPublic, isWork } = request.routeOptions.config;
    const isOpen = isPublic === true || (endpoint !== undefined && open.has(endpoint));
    if (endpoint !== "console") refuseOtherOrigins(request, settings, callerOf === undefined);
    const caller = callerOf?.(request.raw);
    if (caller?.user !== undefined) {
      request.user = caller.user;
      request.observed = caller.observed ?? false;
    } else if (authenticate === undefined) {
      // The server does not know who can reach the embedding application, so anonymous requests must be allowed
      // explicitly.
      if (callerOf !== undefined && !settings.allowAnonymous && !isOpen) throw userRequired();
    } else if (!isOpen) {
      const identity = await authenticate(request.headers.authorization);
      if (identity.status !== "known") return refuseUnknown(identity, request);
      request.user = identity.user;
      request.observed = identity.observed;
    }
    // The user is known only now; the body has not been read yet.
    if (isWork === true) work.assertTurn({ userId: request.user?.id, address: request.ip });
    if (isUncounted !== true) await countRequest(request);
  };
}

type Unknown = Exclude<Identity, { readonly status: "known" }>;

/** Makes counters of requests per minute, by a key. A counter throws Problem 429 beyond the limit. */
function createRateLimiter(app: FastifyInstance, perMinute: number) {
  return (keyOf: (request: FastifyRequest) => string) => {
    if (perMinute === Number.POSITIVE_INFINITY) return async () => undefined;
    const count = app.createRateLimit({
      max: perMinute,
      timeWindow: 60_000,
      keyGenerator: keyOf,
    });
    return async (request: FastifyRequest) => {
      const counted = await count(request);
      if (!counted.isAllowed && counted.isExceeded) {
        throw tooMany(counted.ttlInSeconds, perMinute);
      }
    };
  };
}

function hashAuthorization(authorization: string): string {
  return createHash("sha256").update(authorization).digest("base64");
}

function unauthorized(identity: Unknown, challenge: string): Problem {
  if (identity.status === "unavailable") {
    return new Problem(
      503,
      "SERVICE_UNAVAILABLE",
      "The token cannot be verified now: the identity provider does not answer.",
      { headers: { "retry-after": "5" } },
    );
  }
  const isMissing = identity.problem === "missing";
  return new Problem(
    401,
    "UNAUTHORIZED",
    isMissing ? "A token is required." : "The token is not valid, or has expired.",
    {
      suggestion: "Send a valid token as `authorization: Bearer TOKEN`.",
      headers: { "www-authenticate": challenge },
    },
  );
}

function userRequired(): Problem {
  return new Problem(401, "UNAUTHORIZED", "A user is required.", {
    suggestion:
      "The application passes the user with the request, or `auth` or `allowAnonymous: true` to createHandler.",
    headers: { "www-authenticate": "Bearer" },
  });
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
 * A page of another site can make a browser send requests to a server on loopback, and a host name
 * that suddenly resolves to it ("DNS rebinding") can make them look like its own. Browsers send where a
 * request comes from; other clients do not, and are admitted.
 */
function refuseOtherOrigins(
  request: FastifyRequest,
  settings: ServerSettings,
  isListening: boolean,
): void {
  const { host, origin, "sec-fetch-site": site } = request.headers;
  const trusted = settings.trustedOrigins;
  if (isListening && settings.auth === undefined && !settings.allowAnonymous) {
    const name = (host ?? "").replace(/:\d+$/, "");
    if (!isLoopback(name) && !trusted.some((each) => new URL(each).host === host)) {
      throw otherOrigin("The request names a host that this server does not serve.");
    }
  }
  if (origin !== undefined && !trusted.includes(origin)) {
    if (!URL.canParse(origin) || new URL(origin).host !== host) {
      throw otherOrigin("The request comes from a page of another origin.");
    }
  }
  if (origin === undefined && (site === "cross-site" || site === "same-site")) {
    throw otherOrigin("The request comes from a page of another site.");
  }
}

function otherOrigin(message: string): Problem {
  return new Problem(403, "UNAUTHORIZED", message, {
    suggestion: "Add the origin to `trustedOrigins`, if it is yours.",
  });
}

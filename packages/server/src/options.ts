import type { AIClient, ErrorCode, User } from "@constellation/core";
import type { Journal } from "@constellation/journal";
import type { PresentLibrarian } from "@constellation/transport";
import type { AuthOptions } from "./auth/auth-options.js";
import type { UnhandledRejection } from "./faults/catch-rejections.js";
import type { LimitOptions } from "./limits.js";

/** Webhooks for runs in the background that have ended. */
export interface WebhookOptions {
  /** Signs each call as defined by Standard Webhooks: its receivers have the same secret. 24 characters or more. */
  readonly secret: string;
  /** Hosts that may be called, with their port where it is not 443: no other address can be named by a caller. */
  readonly allowedHosts: readonly string[];
}

/**
 * Answers requests under a path, as `fetch` would: takes a `Request` whose signal aborts when the
 * client leaves, and gives a `Response`, whose body may stream.
 */
export interface MountHandler {
  (request: globalThis.Request, info: MountInfo): Promise<globalThis.Response>;
  /**
   * Whether it serves an agent card at `/.well-known/agent-card.json` below its path. Where `open` has `card`,
   * reading that needs no token.
   *
   * @default false
   */
  readonly hasAgentCard?: boolean | undefined;
}

/** Information about a request, passed to a mount. */
export interface MountInfo {
  /** The authenticated user; absent where no token is required. */
  readonly user?: User | undefined;
  /**
   * Whether the metadata of its calls counts as observed: pass it to `router.ask`. Set by `observed` of
   * its token.
   */
  readonly observed: boolean;
  /** Id of the request in logs: its `x-request-id`. */
  readonly requestId: string;
  /**
   * Holds the slot of the request in `limits` until a promise settles, for work that continues after the response. A
   * run of the server's router holds its slot by itself.
   */
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** Endpoints that `open` may name. */
export const endpointNames = [
  "console",
  "healthz",
  "readyz",
  "metrics",
  "openapi",
  "librarians",
  "card",
] as const;

/** An endpoint that may need no token. */
export type EndpointName = (typeof endpointNames)[number];

/** One line about a request that has ended. Holds no query, no header and no token. */
export interface RequestLog {
  /** When the request began, as `2026-01-31T12:00:00.000Z`. */
  readonly time: string;
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the path, such as `/runs/:id`; `unknown` without one. */
  readonly route: string;
  /** 499 when the client disconnected first. */
  readonly status: number;
  readonly durationMs: number;
  /** Id of the user. */
  readonly userId?: string | undefined;
  readonly runId?: string | undefined;
  /** Code of the error, where it was not answered. */
  readonly code?: ErrorCode | undefined;
  /** Name of the thrown error, where the server itself failed. */
  readonly failure?: string | undefined;
}

/** The owner of a run. */
export interface RunOwner {
  /** The user who started it; absent for an anonymous run and one not started through this server. */
  readonly user?: User | undefined;
}

/** Options for `createServer` and `createHandler`. */
export interface ServerOptions {
  /** Accepted tokens. Without it no token is required, and the server listens on loopback only. */
  readonly auth?: AuthOptions | undefined;
  /**
   * Allows other hosts than loopback without `auth`.
   *
   * @default false
   */
  readonly allowAnonymous?: boolean | undefined;
  /**
   * Endpoints that need no token. The console page itself contains no data. `card` is the agent card of a
   * mount, for A2A clients that do not have a token yet.
   *
   * @default ["console", "healthz", "readyz", "card"]
   */
  readonly open?: readonly EndpointName[] | undefined;
  /**
   * Origin under which clients reach the server, such as `https://mesh.example.com`: mounts and the metadata of
   * protected resources name it. It is one of `trustedOrigins` too. Not given: what a proxy of `trustedProxies`
   * reports, else the address that the connection came to, never the header `Host` of any caller.
   */
  readonly publicUrl?: string | undefined;
  /**
   * Path below which everything is served, such as `/mesh`, where an application or a proxy has it under one.
   * Requests may come with it or without it.
   *
   * @default ""
   */
  readonly basePath?: string | undefined;
  /**
   * Origins under which browsers reach the server, such as `https://mesh.example.com`, besides the
   * address it listens on. Requests from pages of any other origin are refused.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Proxies whose `x-forwarded-for` names the client, and whose `x-forwarded-proto` and `x-forwarded-host`, or
   * `Host`, name the server: addresses or networks, such as `10.0.0.0/8`.
   * Rate limits without a user count by that address.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * Ids of authenticated users that are other meshes: their calls may name the user they are made for.
   * Calls of other users are made for those users.
   *
   * @default []
   */
  readonly trustedPeers?: readonly string[] | undefined;
  /** Limits. Each has a default. */
  readonly limits?: LimitOptions | undefined;
  /** Handlers under a path, such as `{ "/mcp": handler }`, behind the same token and limits. */
  readonly mounts?: Readonly<Record<string, MountHandler>> | undefined;
  /**
   * Serves the routes that the router's librarians offer (`services`), behind the same token and limits, to
   * users who may ask the librarian. `mounts` come first. Librarians must be registered before the server is created.
   *
   * @default true
   */
  readonly services?: boolean | undefined;
  /**
   * Serves the console page at `/`.
   *
   * @default true
   */
  readonly console?: boolean | undefined;
  /**
   * Whether a user may read the texts of a run: its query, answer, reasons and messages. Everyone may
   * read the rest: librarians, times and outcomes. What a run waits for, where its librarian names no one in `by`,
   * is shown to the same users, and answered by them alone.
   *
   * @default the user who started it; everyone without `auth`
   */
  readonly mayReadRun?: ((user: User | undefined, run: RunOwner) => boolean) | undefined;
  /** Model for runs over HTTP, instead of the router's. */
  readonly ai?: AIClient | undefined;
  /**
   * The journal of the router, `createJournal` of `@constellation/journal`. Runs that have ended are stored in it too,
   * without their secrets, so that they outlive the server. The router closes it; close the server first.
   */
  readonly journal?: Journal | undefined;
  /**
   * Allows requests for background runs to name an address that is called when the run has ended. Needs `journal`.
   */
  readonly webhooks?: WebhookOptions | undefined;
  /**
   * Also records the texts of each hop: answers, sources, progress, and calls of models with prompt and reply.
   * Redacted and bounded; shown to those who may read the run.
   *
   * @default false
   */
  readonly recordContent?: boolean | undefined;
  /**
   * For the author of librarians: records content, and messages and stacks of what librarians throw.
   * The server then listens on loopback only.
   *
   * @default false
   */
  readonly debug?: boolean | undefined;
  /**
   * Address of a trace in a tracing system, with `{traceId}` in it:
   * `http://localhost:16686/trace/{traceId}`. The console links there.
   */
  readonly traceUrl?: string | undefined;
  /**
   * The processes that serve librarians over a transport, for `GET /librarians` and the console:
   * `() => transport.present()`. Called for each such request.
   */
  readonly presence?: (() => readonly PresentLibrarian[]) | undefined;
  /**
   * Called for each promise rejection that no one handles, such as one of a librarian that forgot an `await`. The
   * process then continues, and the rejection is counted in `/metrics`. Without it Node.js ends the process.
   */
  readonly onUnhandledRejection?: ((rejection: UnhandledRejection) => void) | undefined;
  /** Called when a request has ended. Without it nothing is logged. */
  readonly log?: ((line: RequestLog) => void) | undefined;
}

import type { AIClient, User } from "@constellation/core";
import type { PresentLibrarian } from "@constellation/core/transport";
import type { AuthOptions } from "./auth/auth-options.js";
import type { LimitOptions } from "./limits.js";

/**
 * Answers requests under a path, as `fetch` would: takes a `Request` whose signal aborts when the
 * client leaves, and gives a `Response`, whose body may stream.
 */
export type MountHandler = (
  request: globalThis.Request,
  info: MountInfo,
) => Promise<globalThis.Response>;

/** Information about a request, passed to a mount. */
export interface MountInfo {
  /** The authenticated user; absent where no token is required. */
  readonly user?: User | undefined;
  /** Identifies the request in logs: its `x-request-id`. */
  readonly requestId: string;
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

/** One line about a request that is over. Holds no query, no header and no token. */
export interface RequestLog {
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
  /** Name of the thrown error, where the server itself failed. */
  readonly failure?: string | undefined;
}

/** The owner of a run. */
export interface RunOwner {
  /** The user who started it; absent for an anonymous run and one not started through this server. */
  readonly user?: User | undefined;
}

/** Options for `createServer`. */
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
   * Origins under which browsers reach the server, such as `https://mesh.example.com`, besides the
   * address it listens on. Requests from pages of any other origin are refused.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Proxies whose `x-forwarded-for` names the client: addresses or networks, such as `10.0.0.0/8`.
   * Rate limits without a user count by that address.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /**
   * Ids of authenticated users that are other meshes: their calls may name the user they are made for.
   * A call of anyone else is made for its own user.
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
   * users who may ask the librarian. `mounts` come first. Of librarians registered before the server is made.
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
   * read the rest: librarians, times and outcomes.
   *
   * @default the user who started it; everyone without `auth`
   */
  readonly mayReadRun?: ((user: User | undefined, run: RunOwner) => boolean) | undefined;
  /** Model for runs over HTTP, instead of the router's. */
  readonly ai?: AIClient | undefined;
  /**
   * Folder in which runs are stored when they have ended, a JSON file each, so that they outlive the
   * server. Made where it is missing, readable by its owner only. For one server at a time.
   */
  readonly runsFolder?: string | undefined;
  /**
   * Records also what was said in each hop: answers, sources, progress, and calls of models with prompt
   * and reply. Redacted and bounded; shown to those who may read the run.
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
  /** Called when a request has ended. Without it nothing is logged. */
  readonly log?: ((line: RequestLog) => void) | undefined;
}

import type { AIClient, User } from "@constellation/core";
import { describeValue, optionField, parseOptions } from "@constellation/core/authoring";
import { z } from "zod";
import { type AuthOptions, authSchema } from "./auth/auth-options.js";
import { createNetworkMatcher } from "./http/connections.js";
import { type LimitOptions, limitsSchema, type ServerLimits, serverLimits } from "./limits.js";

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
  /** Called when a request has ended. Without it nothing is logged. */
  readonly log?: ((line: RequestLog) => void) | undefined;
}

/** {@link ServerOptions}, checked, with defaults. */
export interface ServerSettings {
  readonly auth: AuthOptions | undefined;
  readonly allowAnonymous: boolean;
  readonly open: ReadonlySet<EndpointName>;
  readonly trustedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly trustedPeers: readonly string[];
  readonly limits: ServerLimits;
  readonly mounts: Readonly<Record<string, MountHandler>>;
  readonly console: boolean;
  readonly mayReadRun: (user: User | undefined, run: RunOwner) => boolean;
  readonly ai: AIClient | undefined;
  readonly runsFolder: string | undefined;
  readonly recordContent: boolean;
  readonly debug: boolean;
  readonly traceUrl: string | undefined;
  readonly log: ((line: RequestLog) => void) | undefined;
}

const origin = z.string("expected an origin").refine(isOrigin, {
  error: "expected an origin such as https://mesh.example.com, without a path",
});

const mountPath = z.string().regex(/^(?:\/[\w.-]+)+$/, {
  error: "expected a path such as /mcp",
});

const network = "expected an address, or a network such as 10.0.0.0/8";

const traceUrl = "expected an http or https URL with {traceId} in it";

const optionsSchema = z.strictObject({
  auth: authSchema.optional(),
  allowAnonymous: optionField.flag().optional(),
  open: optionField
    .list(z.enum(endpointNames, `expected one of ${endpointNames.join(", ")}`))
    .optional(),
  trustedOrigins: optionField.list(origin).optional(),
  trustedProxies: optionField
    .list(z.string(network).refine(isNetwork, { error: network }))
    .optional(),
  trustedPeers: optionField.list(optionField.text("the id of a user")).optional(),
  limits: limitsSchema.optional(),
  mounts: z.record(mountPath, optionField.callback(), "expected an object").optional(),
  console: optionField.flag().optional(),
  mayReadRun: optionField.callback("a function of user and run").optional(),
  ai: optionField.port<AIClient>("complete", "analyze", "runTools").optional(),
  runsFolder: z.string("expected the path of a folder").min(1, "expected a path").optional(),
  recordContent: optionField.flag().optional(),
  debug: optionField.flag().optional(),
  traceUrl: z.string("expected a URL").refine(isTraceUrl, { error: traceUrl }).optional(),
  log: optionField.callback().optional(),
});

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function parseServerOptions(options: unknown): ServerSettings {
  parseOptions(optionsSchema, options, { secrets: ["token"] });
  const given = options as ServerOptions; // every key was checked above
  for (const path of Object.keys(given.mounts ?? {})) {
    if (reservedPaths.some((taken) => path === taken || path.startsWith(`${taken}/`))) {
      throw new RangeError(
        `mounts: ${describeValue(path)} is a path of the server itself. Choose another.`,
      );
    }
  }
  return {
    auth: given.auth,
    allowAnonymous: given.allowAnonymous ?? false,
    open: new Set(given.open ?? ["console", "healthz", "readyz", "card"]),
    trustedOrigins: given.trustedOrigins ?? [],
    trustedProxies: given.trustedProxies ?? [],
    trustedPeers: given.trustedPeers ?? [],
    limits: { ...serverLimits, ...definedOf(given.limits) },
    mounts: given.mounts ?? {},
    console: given.console ?? true,
    mayReadRun: given.mayReadRun ?? (given.auth === undefined ? () => true : isOwner),
    ai: given.ai,
    runsFolder: given.runsFolder,
    recordContent: given.recordContent ?? given.debug ?? false,
    debug: given.debug ?? false,
    traceUrl: given.traceUrl,
    log: given.log,
  };
}

const reservedPaths = [
  "/ask",
  "/runs",
  "/librarians",
  "/healthz",
  "/readyz",
  "/metrics",
  "/openapi.json",
  "/console",
];

function isOwner(user: User | undefined, run: RunOwner): boolean {
  return user !== undefined && user.id === run.user?.id;
}

function definedOf(limits: LimitOptions = {}): Partial<ServerLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}

function isNetwork(value: string): boolean {
  try {
    createNetworkMatcher([value]);
    return true;
  } catch {
    return false;
  }
}

function isTraceUrl(value: string): boolean {
  const url = value.replace("{traceId}", "0");
  return url !== value && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

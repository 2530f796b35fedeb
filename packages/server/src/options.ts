import type { AIClient, User } from "@constellation/core";
import { z } from "zod";
import { type AuthOptions, authSchema } from "./auth/auth-options.js";
import { createNetworkMatcher } from "./http/connections.js";
import { type LimitOptions, limitsSchema, type ServerLimits, serverLimits } from "./limits.js";
import { describeValue, listOf, optionError } from "./option-error.js";

/**
 * Answers requests under a path, as `fetch` would: takes a `Request` whose signal aborts when the
 * client leaves, and gives a `Response`, whose body may stream.
 */
export type MountHandler = (
  request: globalThis.Request,
  info: MountInfo,
) => Promise<globalThis.Response>;

/** What the server knows about a request that it hands to a mount. */
export interface MountInfo {
  /** Who is asking; absent where nobody had to say. */
  readonly user?: User | undefined;
  /** Names the request in logs: its `x-request-id`. */
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
] as const;

/** An endpoint that may be open to anybody. */
export type EndpointName = (typeof endpointNames)[number];

/** One line about a request that is over. Holds no query, no header and no token. */
export interface RequestLog {
  readonly requestId: string;
  readonly method: string;
  /** Pattern of the path, such as `/runs/:id`; `unknown` where there is none. */
  readonly route: string;
  /** 499 where the client left before the end. */
  readonly status: number;
  readonly durationMs: number;
  /** Id of whoever asked. */
  readonly userId?: string | undefined;
  readonly runId?: string | undefined;
  /** Name of what was thrown, where the server itself failed. */
  readonly failure?: string | undefined;
}

/** What a run's reader is shown. */
export interface RunOwner {
  /** Who asked; absent: nobody in particular, or a run that did not come through this server. */
  readonly user?: User | undefined;
}

/** Options for `createServer`. */
export interface ServerOptions {
  /** Who may ask. None given: anybody who reaches the server, which then listens on loopback only. */
  readonly auth?: AuthOptions | undefined;
  /**
   * Listens elsewhere than on loopback although there is no `auth`.
   *
   * @default false
   */
  readonly allowAnonymous?: boolean | undefined;
  /**
   * Endpoints that need no token where there is `auth`. The console page holds no data itself.
   *
   * @default ["console", "healthz", "readyz"]
   */
  readonly open?: readonly EndpointName[] | undefined;
  /**
   * Origins under which browsers reach the server, such as `https://mesh.example.com`, beside the one
   * it listens on. Requests from pages of any other origin are refused.
   */
  readonly trustedOrigins?: readonly string[] | undefined;
  /**
   * Proxies whose `x-forwarded-for` says who the client is: addresses or networks, such as
   * `10.0.0.0/8`. The rate limit of those who have no user goes by it.
   */
  readonly trustedProxies?: readonly string[] | undefined;
  /** Bounds. Each has a default. */
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
   * Whether a user may read the words of a run: its query, answer, reasons and messages. Everybody
   * sees the rest: who was asked, when, and what came of it.
   *
   * @default those who asked it; everybody where there is no `auth`
   */
  readonly mayReadRun?: ((user: User | undefined, run: RunOwner) => boolean) | undefined;
  /** Model for runs asked over HTTP, instead of the router's. Its tokens stand in `/metrics`. */
  readonly ai?: AIClient | undefined;
  /** Called once a request is over. Without it nothing is logged. */
  readonly log?: ((line: RequestLog) => void) | undefined;
}

/** {@link ServerOptions}, checked, with defaults. */
export interface ServerSettings {
  readonly auth: AuthOptions | undefined;
  readonly allowAnonymous: boolean;
  readonly open: ReadonlySet<EndpointName>;
  readonly trustedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly limits: ServerLimits;
  readonly mounts: Readonly<Record<string, MountHandler>>;
  readonly console: boolean;
  readonly mayReadRun: (user: User | undefined, run: RunOwner) => boolean;
  readonly ai: AIClient | undefined;
  readonly log: ((line: RequestLog) => void) | undefined;
}

const aFunction = (error: string) =>
  z.custom<(...given: never[]) => unknown>((value) => typeof value === "function", { error });

const origin = z.string("expected an origin").refine(isOrigin, {
  error: "expected an origin such as https://mesh.example.com, without a path",
});

const mountPath = z.string().regex(/^(?:\/[\w.-]+)+$/, {
  error: "expected a path such as /mcp",
});

const network = "expected an address, or a network such as 10.0.0.0/8";

const shape = {
  auth: authSchema.optional(),
  allowAnonymous: z.boolean("expected true or false").optional(),
  open: listOf(z.enum(endpointNames, `expected one of ${endpointNames.join(", ")}`)).optional(),
  trustedOrigins: listOf(origin).optional(),
  trustedProxies: listOf(z.string(network).refine(isNetwork, { error: network })).optional(),
  limits: limitsSchema.optional(),
  mounts: z.record(mountPath, aFunction("expected a function"), "expected an object").optional(),
  console: z.boolean("expected true or false").optional(),
  mayReadRun: aFunction("expected a function of user and run").optional(),
  ai: z
    .custom<AIClient>(isAiClient, {
      error: "expected an object with complete, analyze and runTools",
    })
    .optional(),
  log: aFunction("expected a function").optional(),
};

const optionsSchema = z.strictObject(shape);

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): ServerSettings {
  const checked = optionsSchema.safeParse(options);
  if (!checked.success) throw optionError("options", options, checked.error, Object.keys(shape));
  const given = options as ServerOptions; // every key was checked above
  for (const path of Object.keys(given.mounts ?? {})) {
    if (reservedPaths.some((taken) => path === taken || path.startsWith(`${taken}/`))) {
      throw new RangeError(`mounts: ${describeValue(path)} is a path of the server itself.`);
    }
  }
  return {
    auth: given.auth,
    allowAnonymous: given.allowAnonymous ?? false,
    open: new Set(given.open ?? ["console", "healthz", "readyz"]),
    trustedOrigins: given.trustedOrigins ?? [],
    trustedProxies: given.trustedProxies ?? [],
    limits: { ...serverLimits, ...definedOf(given.limits) },
    mounts: given.mounts ?? {},
    console: given.console ?? true,
    mayReadRun: given.mayReadRun ?? (given.auth === undefined ? () => true : isOwner),
    ai: given.ai,
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

function isOrigin(value: string): boolean {
  return URL.canParse(value) && new URL(value).origin === value;
}

function isAiClient(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    ["complete", "analyze", "runTools"].every(
      (method) => typeof (value as Record<string, unknown>)[method] === "function",
    )
  );
}

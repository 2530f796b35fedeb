import { describeValue, optionField, parseOptions } from "@constellation/authoring";
import type { AIClient, User } from "@constellation/core";
import type { Journal } from "@constellation/journal";
import { z } from "zod";
import { type AuthOptions, authSchema } from "./auth/auth-options.js";
import { createNetworkMatcher } from "./http/connections.js";
import { type LimitOptions, limitsSchema, type ServerLimits, serverLimits } from "./limits.js";
import { isOwnPath } from "./mounts/own-paths.js";
import {
  type EndpointName,
  endpointNames,
  type MountHandler,
  type RequestLog,
  type RunOwner,
  type ServerOptions,
  type WebhookOptions,
} from "./options.js";

/** `ServerOptions`, checked, with defaults. */
export interface ServerSettings {
  readonly auth: AuthOptions | undefined;
  /** Users are distinguished: by `auth`, or by the application that passes them. */
  readonly hasUsers: boolean;
  readonly allowAnonymous: boolean;
  readonly open: ReadonlySet<EndpointName>;
  readonly publicUrl: string | undefined;
  readonly basePath: string;
  readonly trustedOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly trustedPeers: readonly string[];
  readonly limits: ServerLimits;
  readonly mounts: Readonly<Record<string, MountHandler>>;
  readonly services: boolean;
  readonly console: boolean;
  readonly mayReadRun: (user: User | undefined, run: RunOwner) => boolean;
  readonly ai: AIClient | undefined;
  readonly journal: Journal | undefined;
  readonly webhooks: WebhookOptions | undefined;
  readonly recordContent: boolean;
  readonly debug: boolean;
  readonly traceUrl: string | undefined;
  readonly presence: ServerOptions["presence"];
  readonly onUnhandledRejection: ServerOptions["onUnhandledRejection"];
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
  publicUrl: origin.optional(),
  basePath: mountPath.optional(),
  trustedOrigins: optionField.list(origin).optional(),
  trustedProxies: optionField
    .list(z.string(network).refine(isNetwork, { error: network }))
    .optional(),
  trustedPeers: optionField.list(optionField.text("the id of a user")).optional(),
  limits: limitsSchema.optional(),
  mounts: z.record(mountPath, optionField.callback(), "expected an object").optional(),
  services: optionField.flag().optional(),
  console: optionField.flag().optional(),
  mayReadRun: optionField.callback("a function of user and run").optional(),
  ai: optionField.port<AIClient>("complete", "analyze", "runTools").optional(),
  journal: optionField.port<Journal>("waiting", "runs").optional(),
  webhooks: z
    .strictObject({
      secret: optionField.text("a secret").min(24, "expected at least 24 characters"),
      allowedHosts: optionField.list(optionField.text("a host such as hooks.example.com")),
    })
    .optional(),
  recordContent: optionField.flag().optional(),
  debug: optionField.flag().optional(),
  traceUrl: z.string("expected a URL").refine(isTraceUrl, { error: traceUrl }).optional(),
  presence: optionField.callback().optional(),
  onUnhandledRejection: optionField.callback().optional(),
  log: optionField.callback().optional(),
});

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function parseServerOptions(options: unknown): ServerSettings {
  parseOptions(optionsSchema, options, { secrets: ["token", "secret"] });
  const given = options as ServerOptions; // every key was checked above
  for (const path of Object.keys(given.mounts ?? {})) {
    if (isOwnPath(path)) {
      throw new RangeError(
        `mounts: ${describeValue(path)} is a path of the server itself. Choose another.`,
      );
    }
  }
  return {
    auth: given.auth,
    hasUsers: given.auth !== undefined,
    allowAnonymous: given.allowAnonymous ?? false,
    open: new Set(given.open ?? ["console", "healthz", "readyz", "card"]),
    publicUrl: given.publicUrl,
    basePath: given.basePath ?? "",
    trustedOrigins: [
      ...(given.publicUrl === undefined ? [] : [given.publicUrl]),
      ...(given.trustedOrigins ?? []),
    ],
    trustedProxies: given.trustedProxies ?? [],
    trustedPeers: given.trustedPeers ?? [],
    limits: { ...serverLimits, ...givenLimits(given.limits) },
    mounts: given.mounts ?? {},
    services: given.services ?? true,
    console: given.console ?? true,
    mayReadRun: given.mayReadRun ?? (given.auth === undefined ? () => true : isOwner),
    ai: given.ai,
    journal: given.journal,
    webhooks: given.webhooks,
    recordContent: given.recordContent ?? given.debug ?? false,
    debug: given.debug ?? false,
    traceUrl: given.traceUrl,
    presence: given.presence,
    onUnhandledRejection: given.onUnhandledRejection,
    log: given.log,
  };
}

function isOwner(user: User | undefined, run: RunOwner): boolean {
  return user !== undefined && user.id === run.user?.id;
}

function givenLimits(limits: LimitOptions = {}): Partial<ServerLimits> {
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

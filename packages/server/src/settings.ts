import {
  describeValue,
  optionField,
  parseOptions,
  withoutUndefined,
} from "@constellation/authoring";
import type { AIClient, User } from "@constellation/core";
import type { Journal } from "@constellation/journal";
import { z } from "zod";
import { authSchema } from "./auth/auth-options.js";
import { createNetworkMatcher } from "./http/connections.js";
import { limitsSchema, type ServerLimits, serverLimits } from "./limits.js";
import { isOwnPath } from "./mounts/own-paths.js";
import { type EndpointName, endpointNames, type RunOwner, type ServerOptions } from "./options.js";

/** Defaults that {@link ServerOptions} names, apart from those that depend on other options. */
const defaults = {
  allowAnonymous: false,
  basePath: "",
  trustedProxies: [],
  trustedPeers: [],
  mounts: {},
  services: true,
  console: true,
  debug: false,
} as const satisfies ServerOptions;

const defaultOpen: readonly EndpointName[] = ["console", "healthz", "readyz", "card"];

type Defaulted = { readonly [Key in keyof typeof defaults]: NonNullable<ServerOptions[Key]> };
type Replaced = "open" | "trustedOrigins" | "limits" | "mayReadRun" | "recordContent";

/** `ServerOptions`, checked, with defaults. */
export interface ServerSettings extends Defaulted, Omit<ServerOptions, keyof Defaulted | Replaced> {
  /** Users are distinguished: by `auth`, or by the application that passes them. */
  readonly hasUsers: boolean;
  readonly open: ReadonlySet<EndpointName>;
  readonly trustedOrigins: readonly string[];
  readonly limits: ServerLimits;
  readonly mayReadRun: NonNullable<ServerOptions["mayReadRun"]>;
  readonly recordContent: boolean;
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
  const given = withoutUndefined(options as ServerOptions); // every key was checked above
  for (const path of Object.keys(given.mounts ?? {})) {
    if (isOwnPath(path)) {
      throw new RangeError(
        `mounts: ${describeValue(path)} is a path of the server itself. Choose another.`,
      );
    }
  }
  const { auth, publicUrl, open = defaultOpen, trustedOrigins = [], limits = {} } = given;
  return {
    ...{ ...defaults, ...given },
    hasUsers: auth !== undefined,
    open: new Set(open),
    trustedOrigins: [...(publicUrl === undefined ? [] : [publicUrl]), ...trustedOrigins],
    limits: { ...serverLimits, ...withoutUndefined(limits) },
    mayReadRun: given.mayReadRun ?? (auth === undefined ? () => true : isOwner),
    recordContent: given.recordContent ?? given.debug ?? false,
  };
}

function isOwner(user: User | undefined, run: RunOwner): boolean {
  return user !== undefined && user.id === run.user?.id;
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

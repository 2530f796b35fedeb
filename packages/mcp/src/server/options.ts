import { describeValue, optionField, parseOptions } from "@constellation/authoring";
import type { AITool, Router, User } from "@constellation/core";
import { maxTimerMs } from "@constellation/core";
import { releaseVersion } from "@constellation/core/checks";
import { z } from "zod";
import { areTools } from "./add-tools.js";

/** Options of how a mesh appears to MCP clients, and of their limits. */
export interface McpServerOptions {
  /**
   * Name of the server.
   *
   * @default "constellation"
   */
  readonly name?: string | undefined;
  /**
   * Version of the server.
   *
   * @default the version of this package
   */
  readonly version?: string | undefined;
  /** For the client's model: what the mesh is about, and when to ask it. Default: a general sentence. */
  readonly instructions?: string | undefined;
  /** The user of each query, where the transport does not name one. Every librarian gets it. */
  readonly user?: User | undefined;
  /**
   * Ids of authenticated users that are other meshes: their calls may name the user they are made for.
   * Calls of other users are made for those users.
   *
   * @default []
   */
  readonly trustedPeers?: readonly string[] | undefined;
  /**
   * Maximum `timeoutMs` of a client, in milliseconds: 1 to 2147483647. Without one the time limit of the router
   * applies.
   *
   * @default 120_000
   */
  readonly maxTimeoutMs?: number | undefined;
  /**
   * Maximum length of a query, in characters: 1 to 100,000.
   *
   * @default 10_000
   */
  readonly maxQueryLength?: number | undefined;
  /**
   * Maximum number of queries in flight, 1 to 100,000, over all clients of a handler. One more gets
   * `SERVICE_UNAVAILABLE`, reason `overloaded`, at once.
   *
   * @default 64
   */
  readonly maxQueries?: number | undefined;
  /**
   * Maximum length of an answer, in characters: 200 to 1,000,000. A longer one is cut, with a link to a resource with
   * the full text.
   *
   * @default 20_000
   */
  readonly maxAnswerLength?: number | undefined;
  /**
   * How long the full text of a cut answer can be read, in milliseconds: 1 to 2147483647.
   *
   * @default 600_000
   */
  readonly answerTtlMs?: number | undefined;
  /**
   * Maximum size in memory of all answers that can be read, in bytes: 0 or more. The oldest are removed
   * first.
   *
   * @default 16_777_216
   */
  readonly maxStoredBytes?: number | undefined;
  /**
   * Whether the query tools take `thread`: librarians read its earlier turns, and follow-ups are completed. Another
   * user's thread gives `NOT_FOUND`. Needs a journal in the router.
   *
   * @default false
   */
  readonly threads?: boolean | undefined;
  /**
   * Further tools that read, such as `createCatalogTools` of the workflow selector gives: input an object, names other than
   * those of the server's own tools. Every client may call them.
   *
   * @default []
   */
  readonly tools?: readonly AITool[] | undefined;
}

/** The defaults named in {@link McpServerOptions}. */
export const mcpServerDefaults = {
  name: "constellation",
  version: releaseVersion,
  instructions:
    "Use `query` to ask a question in plain words. The answer names its sources, its confidence, and what is missing. Use `list_librarians` to find out which librarians exist, and `query_librarian` to ask one of them.",
  trustedPeers: [],
  maxTimeoutMs: 120_000,
  maxQueryLength: 10_000,
  maxQueries: 64,
  maxAnswerLength: 20_000,
  answerTtlMs: 600_000,
  maxStoredBytes: 16_777_216,
  threads: false,
  tools: [],
} as const satisfies McpServerOptions;

/** Options with their defaults. */
export interface McpServerSettings {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly user: User | undefined;
  readonly trustedPeers: readonly string[];
  readonly maxTimeoutMs: number;
  readonly maxQueryLength: number;
  readonly maxQueries: number;
  readonly maxAnswerLength: number;
  readonly answerTtlMs: number;
  readonly maxStoredBytes: number;
  readonly threads: boolean;
  readonly tools: readonly AITool[];
}

/** The fields of {@link McpServerOptions}, for the options of the transports. */
export const serverOptionFields = {
  name: optionField.text("a name").optional(),
  version: optionField.text("a version").optional(),
  instructions: optionField.text("instructions").optional(),
  user: z
    .custom<User>(isUser, {
      error: "expected an object with an id",
      params: { wrongType: true },
    })
    .optional(),
  trustedPeers: optionField.list(optionField.text("the id of a user")).optional(),
  maxTimeoutMs: optionField.integer(1, maxTimerMs).optional(),
  maxQueryLength: optionField.integer(1, 100_000).optional(),
  maxQueries: optionField.integer(1, 100_000).optional(),
  maxAnswerLength: optionField.integer(200, 1_000_000).optional(),
  answerTtlMs: optionField.integer(1, maxTimerMs).optional(),
  maxStoredBytes: optionField.integer(0).optional(),
  threads: optionField.flag().optional(),
  tools: z
    .custom<readonly AITool[]>(areTools, {
      error: "expected tools with names of their own, a description and an object as input",
      params: { wrongType: true },
    })
    .optional(),
} as const satisfies Record<keyof McpServerOptions, z.ZodType>;

const serverOptionsSchema: z.ZodType<McpServerOptions> = z.strictObject(serverOptionFields);

/** @throws TypeError or RangeError that names the key and the value. */
export function checkServerOptions(options: unknown): McpServerSettings {
  return readSettings(parseOptions(serverOptionsSchema, options));
}

/** @param options - Checked. */
export function readSettings(options: McpServerOptions): McpServerSettings {
  return {
    name: options.name ?? mcpServerDefaults.name,
    version: options.version ?? mcpServerDefaults.version,
    instructions: options.instructions ?? mcpServerDefaults.instructions,
    user: options.user,
    trustedPeers: options.trustedPeers ?? mcpServerDefaults.trustedPeers,
    maxTimeoutMs: options.maxTimeoutMs ?? mcpServerDefaults.maxTimeoutMs,
    maxQueryLength: options.maxQueryLength ?? mcpServerDefaults.maxQueryLength,
    maxQueries: options.maxQueries ?? mcpServerDefaults.maxQueries,
    maxAnswerLength: options.maxAnswerLength ?? mcpServerDefaults.maxAnswerLength,
    answerTtlMs: options.answerTtlMs ?? mcpServerDefaults.answerTtlMs,
    maxStoredBytes: options.maxStoredBytes ?? mcpServerDefaults.maxStoredBytes,
    threads: options.threads ?? mcpServerDefaults.threads,
    tools: options.tools ?? mcpServerDefaults.tools,
  };
}

/** @throws TypeError unless `user` is absent or has an id. */
export function requireUser(user: unknown): asserts user is User | undefined {
  if (user === undefined || isUser(user)) return;
  throw new TypeError(`user: expected an object with an id, got ${describeValue(user)}.`);
}

/** @throws TypeError unless `router` has the methods of a router that are used here. */
export function requireRouter(router: unknown): asserts router is Router {
  parseOptions(z.strictObject({ router: routerField }), { router });
}

const routerField = optionField.port<Router>("start", "list", "find");

function isUser(user: unknown): boolean {
  const id: unknown = typeof user === "object" && user !== null && "id" in user && user.id;
  return typeof id === "string" && id !== "";
}

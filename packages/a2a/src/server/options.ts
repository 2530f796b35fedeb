import { optionField, parseOptions } from "@constellation/authoring";
import type { Response, Router } from "@constellation/core";
import { maxTimerMs } from "@constellation/core";
import { releaseVersion } from "@constellation/core/checks";
import { z } from "zod";
import type { AnswerPart } from "./message.js";

/** The card of a mesh. */
export interface AgentCardOptions {
  /**
   * Display name of the agent.
   *
   * @default "Constellation"
   */
  readonly name?: string | undefined;
  /** What the agent can answer. Default: a general sentence. */
  readonly description?: string | undefined;
  /**
   * Version of the agent.
   *
   * @default the version of this package
   */
  readonly version?: string | undefined;
  /** Who provides it. */
  readonly provider?: { readonly organization: string; readonly url: string } | undefined;
  /** Address of its documentation. */
  readonly documentationUrl?: string | undefined;
  /**
   * How the agent's server authenticates callers: `bearer` for tokens in the header `Authorization`. The
   * card then says so. Not given: the card names no scheme.
   */
  readonly auth?: "bearer" | undefined;
  /**
   * Versions of the protocol that callers may use, preferred one first. A caller that names none uses 0.3.
   *
   * @default ["1.0", "0.3"]
   */
  readonly versions?: readonly ProtocolVersion[] | undefined;
}

/** A version of the protocol. */
export type ProtocolVersion = "1.0" | "0.3";

/** Options for {@link createA2AHandler}. */
export interface A2AHandlerOptions extends AgentCardOptions {
  /**
   * Address of the agent: an absolute URL, or a path relative to the URL of the request for its card. With a path,
   * that URL must not come from the header `Host`, which anyone can write: `@constellation/server` takes it from
   * its `publicUrl`. Elsewhere give an absolute URL.
   *
   * @default "/a2a"
   */
  readonly url?: string | undefined;
  /**
   * Returns the parts that show an answer, such as a file. They replace its text and data. `undefined`: the default
   * parts are used. Not used for the answer to another mesh.
   */
  readonly present?: ((response: Response) => readonly AnswerPart[] | undefined) | undefined;
  /**
   * Whether a `contextId` is a thread: librarians read its earlier turns, and follow-ups are completed.
   * Another user's context fails with `NOT_FOUND`. Needs a journal in the router.
   *
   * @default false
   */
  readonly threads?: boolean | undefined;
  /**
   * Ids of librarians that answer at once: where a caller names one and waits, the reply is a message with the
   * answer, without a task to get or cancel.
   *
   * @default []
   */
  readonly direct?: readonly string[] | undefined;
  /**
   * Ids of authenticated users that are other meshes: their calls may name the user they are made for.
   * Calls of other users are made for those users.
   *
   * @default []
   */
  readonly trustedPeers?: readonly string[] | undefined;
  /**
   * Maximum size of a request body, in bytes: 1 to 104857600. A larger one gets 413.
   *
   * @default 1_048_576
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Maximum length of a query, in characters: 1 to 100,000. A longer one fails with `INVALID_QUERY`.
   *
   * @default 10_000
   */
  readonly maxQueryLength?: number | undefined;
  /**
   * Maximum number of tasks in progress, 1 to 100,000. One more fails with `SERVICE_UNAVAILABLE`, reason
   * `overloaded`, at once.
   *
   * @default 64
   */
  readonly maxQueries?: number | undefined;
  /**
   * Maximum number of stored tasks, 1 to 1,000,000, with those in progress. Beyond it, the task that
   * ended first is removed.
   *
   * @default 1_000
   */
  readonly maxTasks?: number | undefined;
  /**
   * Maximum size in memory of all stored tasks, in bytes: 1 to 10,737,418,240. Beyond it, the task that
   * ended first is removed.
   *
   * @default 67_108_864
   */
  readonly maxStoredBytes?: number | undefined;
  /**
   * How long a task that has ended is stored, in milliseconds: 1 to 2147483647.
   *
   * @default 600_000
   */
  readonly taskTtlMs?: number | undefined;
}

/** The defaults named in {@link A2AHandlerOptions}. */
export const a2aHandlerDefaults = {
  name: "Constellation",
  description:
    "Answers questions with sources, by delegating each to the librarians that can answer it.",
  version: releaseVersion,
  url: "/a2a",
  versions: ["1.0", "0.3"],
  threads: false,
  direct: [],
  trustedPeers: [],
  maxBodyBytes: 1_048_576,
  maxQueryLength: 10_000,
  maxQueries: 64,
  maxTasks: 1_000,
  maxStoredBytes: 67_108_864,
  taskTtlMs: 600_000,
} as const satisfies A2AHandlerOptions;

/** Options with their defaults; those of the card as given. */
export interface A2AHandlerSettings {
  readonly card: AgentCardOptions;
  readonly url: string;
  readonly present: A2AHandlerOptions["present"];
  readonly threads: boolean;
  readonly direct: readonly string[];
  readonly trustedPeers: readonly string[];
  readonly maxBodyBytes: number;
  readonly maxQueryLength: number;
  readonly maxQueries: number;
  readonly maxTasks: number;
  readonly maxStoredBytes: number;
  readonly taskTtlMs: number;
}

const cardFields = {
  name: optionField.text("a name").optional(),
  description: optionField.text("a sentence").optional(),
  version: optionField.text("a version").optional(),
  provider: z
    .strictObject({
      organization: optionField.text("the name of an organization"),
      url: optionField.text("a URL"),
    })
    .optional(),
  documentationUrl: optionField.text("a URL").optional(),
  auth: optionField.oneOf(["bearer"]).optional(),
  versions: optionField
    .list(optionField.oneOf(["1.0", "0.3"]))
    .min(1, "expected at least one of 1.0 and 0.3")
    .optional(),
} as const satisfies Record<keyof AgentCardOptions, z.ZodType>;

const cardOptionsSchema = z.strictObject({ ...cardFields, url: optionField.text("a URL") });

const handlerOptionsSchema: z.ZodType<A2AHandlerOptions> = z.strictObject({
  ...cardFields,
  url: optionField
    .text("a URL")
    .refine(isUrlOrPath, "expected an http or https URL, or a path")
    .optional(),
  present: optionField.callback<NonNullable<A2AHandlerOptions["present"]>>().optional(),
  threads: optionField.flag().optional(),
  direct: optionField.list(optionField.text("the id of a librarian")).optional(),
  trustedPeers: optionField.list(optionField.text("the id of a user")).optional(),
  maxBodyBytes: optionField.integer(1, 104_857_600).optional(),
  maxQueryLength: optionField.integer(1, 100_000).optional(),
  maxQueries: optionField.integer(1, 100_000).optional(),
  maxTasks: optionField.integer(1, 1_000_000).optional(),
  maxStoredBytes: optionField.integer(1, 10_737_418_240).optional(),
  taskTtlMs: optionField.integer(1, maxTimerMs).optional(),
});

/** @throws TypeError or RangeError that names the key and the value. */
export function checkCardOptions(options: unknown): AgentCardOptions & { readonly url: string } {
  return parseOptions(cardOptionsSchema, options);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function checkHandlerOptions(options: unknown): A2AHandlerSettings {
  const {
    url,
    present,
    threads,
    direct,
    trustedPeers,
    maxBodyBytes,
    maxQueryLength,
    maxQueries,
    maxTasks,
    maxStoredBytes,
    taskTtlMs,
    ...card
  } = parseOptions(handlerOptionsSchema, options);
  const defaults = a2aHandlerDefaults;
  return {
    card,
    url: url ?? defaults.url,
    present,
    threads: threads ?? defaults.threads,
    direct: direct ?? defaults.direct,
    trustedPeers: trustedPeers ?? defaults.trustedPeers,
    maxBodyBytes: maxBodyBytes ?? defaults.maxBodyBytes,
    maxQueryLength: maxQueryLength ?? defaults.maxQueryLength,
    maxQueries: maxQueries ?? defaults.maxQueries,
    maxTasks: maxTasks ?? defaults.maxTasks,
    maxStoredBytes: maxStoredBytes ?? defaults.maxStoredBytes,
    taskTtlMs: taskTtlMs ?? defaults.taskTtlMs,
  };
}

/** @throws TypeError unless `router` has the methods of a router that are used here. */
export function requireRouter(router: unknown): asserts router is Router {
  parseOptions(z.strictObject({ router: optionField.port<Router>("start", "list", "find") }), {
    router,
  });
}

function isUrlOrPath(url: string): boolean {
  return url.startsWith("/") || (/^https?:/.test(url) && URL.canParse(url));
}

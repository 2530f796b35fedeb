import type { Context, Effects } from "@constellation/core";
import type { Transport } from "@modelcontextprotocol/client";
import { z } from "zod";
import { describeValue, longestTimerMs } from "../option-checks.js";

/** A server that this process starts, and talks to over its standard streams. */
export interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to a few harmless variables of this process, such as `PATH`: nothing else is handed on. */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Folder it starts in; this process's where not given. */
  readonly cwd?: string | undefined;
}

/** A server on the network, over streamable HTTP. */
export interface HttpServer {
  /** Its address, `https:` or `http:`. Redirects to another origin are not followed. */
  readonly url: string;
  /** Sent with every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Any other way to a server: gives a new transport for each connection. */
export type ConnectServer = () => Transport | Promise<Transport>;

/** Options for {@link createMcpLibrarian}. */
export interface McpLibrarianOptions {
  /** Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. */
  readonly id: string;
  /** What it can answer: how others find it. */
  readonly description: string;
  /** Where the tool is. */
  readonly server: StdioServer | HttpServer | ConnectServer;
  /** Name of the tool. */
  readonly tool: string;
  /**
   * Argument of the tool that takes the query. Not beside `argumentsFor`.
   *
   * @default "query"
   */
  readonly queryArgument?: string | undefined;
  /** Further arguments, the same for each query. Not beside `argumentsFor`. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** Makes the arguments of the tool of a query. */
  readonly argumentsFor?:
    | ((query: string, context: Context) => Readonly<Record<string, unknown>>)
    | undefined;
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns it. */
  readonly team?: string | undefined;
  /** `^[a-z0-9.-]+$`, hierarchical: `tickets.search`. */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions it answers well, as people ask them. */
  readonly examples?: readonly string[] | undefined;
  /**
   * Whether the tool changes anything outside.
   *
   * @default "read"
   */
  readonly effects?: Effects | undefined;
  /** Most time for one call, in milliseconds: 1 to 2147483647. What remains of the run, where not given. */
  readonly timeoutMs?: number | undefined;
  /**
   * Most time to reach the server, in milliseconds: 1 to 2147483647.
   *
   * @default 10_000
   */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Whether `start` connects and looks for the tool; else the first query does.
   *
   * @default false
   */
  readonly eager?: boolean | undefined;
  /**
   * How sure an answer is taken to be, 0 to 1, where the tool does not say.
   *
   * @default 0.7
   */
  readonly confidence?: number | undefined;
  /**
   * Longest answer, in characters: 1 to 1,000,000. The rest is cut, and the answer partial.
   *
   * @default 4_000
   */
  readonly maxAnswerLength?: number | undefined;
  /**
   * Largest message of the server, in bytes: 1,024 to 104857600. A larger one is `DATA_SOURCE_ERROR`.
   *
   * @default 1_048_576
   */
  readonly maxReplyBytes?: number | undefined;
}

/** The defaults named in {@link McpLibrarianOptions}. */
export const mcpLibrarianDefaults = {
  queryArgument: "query",
  effects: "read",
  connectTimeoutMs: 10_000,
  eager: false,
  confidence: 0.7,
  maxAnswerLength: 4_000,
  maxReplyBytes: 1_048_576,
} as const satisfies Partial<McpLibrarianOptions>;

const texts = z.record(z.string(), z.string("expected text"), "expected an object of texts");

const stdioServer = z.strictObject({
  command: text("a command"),
  args: z.array(z.string("expected text"), "expected an array").optional(),
  env: texts.optional(),
  cwd: text("the path of a folder").optional(),
});
const httpServer = z.strictObject({
  url: z.string("expected a URL").refine(isHttpUrl, "expected an http or https URL"),
  headers: texts.optional(),
});
const connectServer = z.custom<ConnectServer>((value) => typeof value === "function");

const shape = {
  id: matching(/^[a-z0-9-]{1,64}$/),
  description: text("a sentence about what it can answer"),
  server: z.union(
    [stdioServer, httpServer, connectServer],
    "expected { command, args?, env?, cwd? }, { url, headers? } or a function that gives a transport",
  ),
  tool: text("the name of a tool"),
  queryArgument: text("the name of an argument").optional(),
  arguments: z.record(z.string(), z.unknown(), "expected an object").optional(),
  argumentsFor: z
    .custom<NonNullable<McpLibrarianOptions["argumentsFor"]>>(
      (value) => typeof value === "function",
      "expected a function",
    )
    .optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  examples: z.array(text("a question"), "expected an array").optional(),
  effects: z.enum(["read", "write"], "expected read or write").optional(),
  timeoutMs: integerFrom(1, longestTimerMs).optional(),
  connectTimeoutMs: integerFrom(1, longestTimerMs).optional(),
  eager: z.boolean("expected true or false").optional(),
  confidence: z
    .number("expected a number from 0 to 1")
    .min(0, "expected a number from 0 to 1")
    .max(1, "expected a number from 0 to 1")
    .optional(),
  maxAnswerLength: integerFrom(1, 1_000_000).optional(),
  maxReplyBytes: integerFrom(1_024, 104_857_600).optional(),
};

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<McpLibrarianOptions> = z
  .strictObject(shape)
  .refine(({ argumentsFor, queryArgument }) => !(argumentsFor && queryArgument), {
    path: ["queryArgument"],
    error: "expected none beside `argumentsFor`",
  })
  .refine((options) => !(options.argumentsFor && options.arguments), {
    path: ["arguments"],
    error: "expected none beside `argumentsFor`",
  });

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): McpLibrarianOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue === undefined || (issue.path.length === 0 && issue.code === "invalid_type")) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys(shape).join(", ");
    throw new TypeError(
      `options: unknown key ${describeValue(issue.keys[0])}. Known are ${known}.`,
    );
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], // zod walked it
    options,
  );
  const kind =
    issue.code === "invalid_type" || issue.code === "invalid_union" ? TypeError : RangeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${describeValue(value)}.`);
}

function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).refine((value) => value.trim() !== "", error);
}

function matching(form: RegExp) {
  const error = `expected ${form.source}`;
  return z.string(error).regex(form, error);
}

function integerFrom(least: number, most: number) {
  const error = `expected an integer from ${least} to ${most}`;
  return z.number(error).int(error).min(least, error).max(most, error);
}

function isHttpUrl(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

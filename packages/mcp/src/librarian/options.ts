import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
  parseOptions,
} from "@constellation/authoring";
import type { Context, Effects } from "@constellation/core";
import { maxTimerMs } from "@constellation/core";
import { type OutgoingCallOptions, outgoingCallFields } from "@constellation/transport/envelope";
import type { Transport } from "@modelcontextprotocol/client";
import { z } from "zod";

/** A server that this process starts and connects to over its standard streams. */
export interface StdioServer {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** Added to a few harmless variables of this process, such as `PATH`: no others are passed. */
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

/** Any other way to connect: returns a new transport for each connection. */
export type ConnectServer = () => Transport | Promise<Transport>;

/** Options for {@link createMcpLibrarian}. */
export interface McpLibrarianOptions extends LibrarianOptions, OutgoingCallOptions {
  /** Unique in its router: lower-case letters, digits and hyphens, at most 64. */
  readonly id: string;
  /** What it can answer, so that others can find it. */
  readonly description: string;
  /** Where the tool is. */
  readonly server: StdioServer | HttpServer | ConnectServer;
  /** Name of the tool. */
  readonly tool: string;
  /**
   * Argument of the tool that takes the query. Not together with `argumentsFor`.
   *
   * @default "query"
   */
  readonly queryArgument?: string | undefined;
  /** Further arguments, the same for each query. Not together with `argumentsFor`. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  /** Makes the tool's arguments from a query. */
  readonly argumentsFor?:
    | ((query: string, context: Context) => Readonly<Record<string, unknown>>)
    | undefined;
  /**
   * Where to find the answer, for a tool whose text is not the answer: a path in its structured content, such as
   * `result.summary`, or a function that returns Markdown. A value that is not text is shown as JSON; a missing value
   * is `NOT_FOUND`. Default: `answer` of the content, else its text, else the content as JSON.
   */
  readonly answerFrom?:
    | string
    | ((result: {
        readonly text: string;
        /** Structured content, sanitized. */
        readonly data: Readonly<Record<string, unknown>> | undefined;
      }) => unknown)
    | undefined;
  /**
   * Whether the tool changes anything outside.
   *
   * @default "read"
   */
  readonly effects?: Effects | undefined;
  /** Its actions, if it writes: `refund`, `cancel order`. Routing calls it for such orders only. */
  readonly acts?: readonly string[] | undefined;
  /**
   * Maximum time to connect to the server, in milliseconds: 1 to 2147483647.
   *
   * @default 10_000
   */
  readonly connectTimeoutMs?: number | undefined;
  /**
   * Whether `start` connects and looks for the tool; otherwise the first query does.
   *
   * @default false
   */
  readonly eager?: boolean | undefined;
  /**
   * Confidence of an answer, 0 to 1, where the tool states none.
   *
   * @default 0.7
   */
  readonly confidence?: number | undefined;
  /**
   * Maximum length of an answer, in characters: 1 to 1,000,000. The rest is cut, and the answer partial.
   * Without this option the answer of another mesh is not cut.
   *
   * @default 4_000
   */
  readonly maxAnswerLength?: number | undefined;
  /**
   * Maximum size of a message of the server, in bytes: 1,024 to 104857600. A larger one is `DATA_SOURCE_ERROR`.
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
  command: optionField.text("a command"),
  args: optionField.list(z.string("expected text")).optional(),
  env: texts.optional(),
  cwd: optionField.text("the path of a folder").optional(),
});
const httpServer = z.strictObject({
  url: optionField.httpUrl(),
  headers: texts.optional(),
});

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<McpLibrarianOptions> = z
  .strictObject({
    ...librarianOptionFields,
    ...outgoingCallFields,
    id: librarianOptionFields.id.unwrap(),
    description: optionField.text("a sentence about what it can answer"),
    server: z.union(
      [stdioServer, httpServer, optionField.callback<ConnectServer>()],
      "expected { command, args?, env?, cwd? }, { url, headers? } or a function that returns a transport",
    ),
    tool: optionField.text("the name of a tool"),
    queryArgument: optionField.text("the name of an argument").optional(),
    arguments: z.record(z.string(), z.unknown(), "expected an object").optional(),
    argumentsFor: optionField
      .callback<NonNullable<McpLibrarianOptions["argumentsFor"]>>()
      .optional(),
    answerFrom: z
      .custom<NonNullable<McpLibrarianOptions["answerFrom"]>>(isPathOrFunction, {
        error: "expected a path such as result.summary, or a function",
        params: { wrongType: true },
      })
      .optional(),
    effects: optionField.oneOf(["read", "write"]).optional(),
    acts: optionField.list(optionField.text("a verb, maybe with what it is done to")).optional(),
    connectTimeoutMs: optionField.integer(1, maxTimerMs).optional(),
    eager: optionField.flag().optional(),
    confidence: optionField.number(0, 1).optional(),
    maxAnswerLength: optionField.integer(1, 1_000_000).optional(),
    maxReplyBytes: optionField.integer(1_024, 104_857_600).optional(),
  })
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
  return parseOptions(optionsSchema, options, { secrets: ["headers", "env", "args"] });
}

function isPathOrFunction(value: unknown): boolean {
  return typeof value === "function" || (typeof value === "string" && value.trim() !== "");
}

import { describeValue } from "@constellation/authoring";
import { type AskOptions, mergeStrategyNames } from "@constellation/core";
import { z } from "zod";
import { type Problem, wrongField } from "../http/problem.js";
import type { ServerLimits } from "../limits.js";

/** A request body. The user comes from the token, the budget from the router. */
export interface AskRequest extends Pick<AskOptions, "to" | "thread" | "timeoutMs" | "metadata"> {
  readonly query: string;
  /** The envelope of a calling mesh, not read yet. */
  readonly call?: unknown;
  /** Whether to answer at once, while the run continues without the client. */
  readonly background?: boolean | undefined;
  /** Called when a run in the background has ended. */
  readonly webhook?: string | undefined;
  readonly merge?: Exclude<AskOptions["merge"], (...given: never[]) => unknown> | undefined;
}

/** The schema of {@link AskRequest}, within the limits of a server. */
export function askRequestSchema(
  limits: Pick<ServerLimits, "queryLength" | "timeoutMs">,
): z.ZodType<AskRequest> {
  const time = `expected milliseconds from 1 to ${limits.timeoutMs}`;
  const id = "expected the id of a librarian: a-z, 0-9 and -, at most 64 characters";
  const quorum = "expected an integer from 1 to 1000";
  return z
    .strictObject(
      {
        query: z
          .string("expected text")
          .min(1, "expected a question that is not blank")
          .max(limits.queryLength, `expected at most ${limits.queryLength} characters`)
          .regex(/\S/, "expected a question that is not blank")
          .describe("The question, as a person would type it."),
        to: z
          .string(id)
          .regex(/^[a-z0-9-]{1,64}$/, id)
          .optional()
          .describe("Id of the librarian to ask. Default: the entry of the mesh."),
        thread: z
          .string("expected the id of a thread")
          .min(1, "expected the id of a thread, of 1 to 200 characters")
          .max(200, "expected the id of a thread, of 1 to 200 characters")
          .optional()
          .describe(
            "Thread of the question. It begins with its first question and belongs to the user who asked it; choose an id that no one can guess, such as a UUID. Needs a journal.",
          ),
        timeoutMs: z
          .number(time)
          .int(time)
          .min(1, time)
          .max(limits.timeoutMs, time)
          .optional()
          .describe("Maximum duration of the run, in milliseconds."),
        metadata: z
          .record(z.string().max(200), z.unknown(), "expected an object")
          .optional()
          .describe("Data for the librarians."),
        merge: z
          .union(
            [
              z.enum(mergeStrategyNames),
              z.strictObject({ quorum: z.number(quorum).int(quorum).min(1).max(1_000) }),
            ],
            `expected one of ${mergeStrategyNames.join(", ")}, or { quorum: n }`,
          )
          .optional()
          .describe("Merge strategy for the answers of a fan-out."),
        background: z
          .boolean("expected true or false")
          .optional()
          .describe(
            "Answers 202 with the id of the run, which continues without the client. Needs a journal.",
          ),
        webhook: z
          .string("expected a URL")
          .max(2_000, "expected at most 2000 characters")
          .optional()
          .describe(
            "Called when a run in the background has ended, on a host that the server allows.",
          ),
        call: z
          .record(z.string(), z.unknown(), "expected an object")
          .optional()
          .describe(
            "Envelope of a call from another mesh: its path, and what remains of its time, hops and budget.",
          ),
      },
      "expected an object",
    )
    .describe("A question to the mesh.");
}

/**
 * Reads a body.
 *
 * @throws Problem 400 that names the field.
 */
export function readAsk(schema: z.ZodType<AskRequest>, body: unknown): AskRequest {
  const checked = schema.safeParse(body);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue?.code === "unrecognized_keys") {
    const [key = ""] = issue.keys;
    const known = "query, to, thread, timeoutMs, metadata, background, webhook, merge, call";
    throw wrongField(key.slice(0, 100), `unknown field. Valid fields: ${known}`);
  }
  const path = issue?.path ?? [];
  const field = path.length === 0 ? "body" : path.join(".").slice(0, 100);
  const given = describeValue(valueAt(body, path));
  throw wrongField(field, `${issue?.message ?? "not valid"}, got ${given}`);
}

/**
 * Reads the parameters of a URL: `query`, `to`, `timeoutMs`, and `merge`, a name or `quorum:n`.
 *
 * @throws Problem 400 that names the parameter.
 */
export function readAskParameters(schema: z.ZodType<AskRequest>, parameters: unknown): AskRequest {
  const { timeoutMs, merge, ...rest } = parameters as Readonly<Record<string, unknown>>; // fastify's own parser made it
  const [, quorum] = /^quorum:(\d{1,4})$/.exec(String(merge)) ?? [];
  return readAsk(schema, {
    ...rest,
    ...(timeoutMs !== undefined && {
      timeoutMs: /^\d+$/.test(String(timeoutMs)) ? Number(timeoutMs) : timeoutMs,
    }),
    ...(merge !== undefined && {
      merge: quorum === undefined ? merge : { quorum: Number(quorum) },
    }),
  });
}

export function noJournal(): Problem {
  return wrongField("background", "the server has no journal");
}

/** The value at a path that zod reported. */
function valueAt(body: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key],
    body,
  );
}

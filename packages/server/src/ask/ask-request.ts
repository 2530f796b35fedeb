import { type AskOptions, mergeStrategyNames } from "@constellation/core";
import { z } from "zod";
import { wrongField } from "../http/problem.js";
import type { ServerLimits } from "../limits.js";
import { describeValue, valueAt } from "../option-error.js";

/** What a caller over HTTP may say. Who asks comes from the token, and money from the router. */
export interface AskRequest extends Pick<AskOptions, "to" | "timeoutMs" | "metadata"> {
  readonly query: string;
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
          .max(limits.queryLength, `expected at most ${limits.queryLength} characters`)
          .describe("The question, as a person would type it."),
        to: z
          .string(id)
          .regex(/^[a-z0-9-]{1,64}$/, id)
          .optional()
          .describe("Id of the librarian to ask. Without it: the entry of the mesh."),
        timeoutMs: z
          .number(time)
          .int(time)
          .min(1, time)
          .max(limits.timeoutMs, time)
          .optional()
          .describe("Time for the run, in milliseconds."),
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
          .describe("How the answers of a fan-out become one."),
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
    const known = "query, to, timeoutMs, metadata, merge";
    throw wrongField(key.slice(0, 100), `unknown field. Known are ${known}`);
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

import { librarianInfoSchema } from "@constellation/core/schemas";
import { z } from "zod";

const status = z.enum(["up", "degraded", "down", "unknown"]);

/** What `GET /librarians` gives. */
export const librariansSchema = z.object({
  librarians: z.array(
    z.intersection(
      librarianInfoSchema,
      z.object({ health: z.object({ status, message: z.string().optional() }) }),
    ),
  ),
  delegations: z
    .array(z.object({ from: z.string(), to: z.string(), count: z.number().int() }))
    .describe(
      "Number of queries delegated or asked from one librarian to another, since the server was created.",
    ),
  check: z.object({
    ok: z.boolean(),
    problems: z.array(
      z.object({
        kind: z.enum(["cycle", "unknown-target", "too-deep", "too-wide", "unreachable"]),
        ids: z.array(z.string()),
        message: z.string(),
      }),
    ),
  }),
  traceUrl: z.string().optional().describe("Address of a trace, with `{traceId}` in it."),
});

/** What `GET /readyz` gives. */
export const readinessSchema = z.object({
  status: z.enum(["ready", "not-ready", "closing"]),
  librarians: z.record(status, z.number().int()),
});

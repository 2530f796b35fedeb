import { librarianInfoSchema } from "@constellation/authoring/schemas";
import { z } from "zod";

const status = z.enum(["up", "degraded", "down", "unknown"]);

/** What `GET /librarians` gives. */
export const librariansSchema = z.object({
  librarians: z.array(
    z.intersection(
      librarianInfoSchema,
      z.object({
        health: z.object({
          status,
          message: z.string().optional(),
          hasNotStarted: z.literal(true).optional(),
        }),
        replicas: z
          .array(z.object({ host: z.string(), pid: z.number().int(), since: z.number() }))
          .optional()
          .describe(
            "Processes that serve it over a transport, the oldest first, at most 100; `since` in epoch milliseconds.",
          ),
        replicaCount: z.number().int().optional().describe("Number of those processes."),
      }),
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
  hasJournal: z.literal(true).optional().describe("Runs may wait for people: see `/waiting`."),
  traceUrl: z.string().optional().describe("Address of a trace, with `{traceId}` in it."),
});

/** What `GET /readyz` gives. */
export const readinessSchema = z.object({
  status: z.enum(["ready", "not-ready", "closing"]),
  librarians: z.record(status, z.number().int()),
});

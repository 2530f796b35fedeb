import { z } from "zod";
import { count, duration } from "./schema-fields.js";

const flag = () => z.boolean("expected true or false");

/** `retry` of a librarian, or of the mesh. */
export const retrySchema = z
  .union(
    [
      flag(),
      z.strictObject({
        attempts: count(1).optional(),
        minDelayMs: duration().optional(),
        maxDelayMs: duration().optional(),
      }),
    ],
    "expected true, false or attempts, minDelayMs, maxDelayMs",
  )
  .meta({ description: "Calls it again after errors that may pass. Default: off." });

/** `breaker` of a librarian, or of the mesh. */
export const breakerSchema = z
  .union(
    [
      flag(),
      z.strictObject({
        failureShare: z
          .number("expected a number")
          .gt(0, "expected more than 0")
          .max(1, "expected at most 1")
          .optional(),
        minCalls: count(1).optional(),
        windowMs: duration().optional(),
        openMs: duration().optional(),
        probes: count(1).optional(),
      }),
    ],
    "expected true, false or failureShare, minCalls, windowMs, openMs, probes",
  )
  .meta({ description: "Stops calling it while most calls fail. Default: off." });

/** `singleFlight` of a librarian, or of the mesh. */
export const singleFlightSchema = flag().meta({
  description: "Whether equal calls of several runs share one. Default: those of one run alone do.",
});

/** What a librarian of a mesh file may have against failures. */
export const resilienceFields = {
  retry: retrySchema.optional(),
  breaker: breakerSchema.optional(),
  hedge: z
    .union(
      [flag(), z.strictObject({ afterMs: duration().optional() })],
      "expected true, false or afterMs",
    )
    .meta({ description: "Calls it a second time when it is slow. Default: off." })
    .optional(),
  adaptiveConcurrency: flag()
    .meta({ description: "Fewer calls at once while it answers RATE_LIMITED. Default: off." })
    .optional(),
  singleFlight: singleFlightSchema.optional(),
  cache: z
    .strictObject(
      {
        ttlMs: duration().optional(),
        staleIfErrorMs: duration().optional(),
        isPublic: flag().optional(),
        maxEntries: count(1).optional(),
      },
      "expected ttlMs, staleIfErrorMs, isPublic, maxEntries",
    )
    .meta({ description: "Keeps its complete answers in memory, for each user. Default: off." })
    .optional(),
};

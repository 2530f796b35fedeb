import type { Response } from "@constellation/core";
import type { StoredRun } from "@constellation/journal";
import { z } from "zod";

/** An answer to a wait of a run. The user comes from the token. */
export const answerBodySchema = z
  .strictObject(
    {
      approve: z
        .boolean("expected true or false")
        .optional()
        .describe("For an approval; `false` for a question: no answer will be given."),
      value: z
        .unknown()
        .optional()
        .describe(
          "For a question or an event. For an unknown outcome: what the librarian or the step would have returned.",
        ),
      repeat: z
        .boolean("expected true or false")
        .optional()
        .describe("For an unknown outcome: it did not happen and should be done now."),
      comment: z
        .string("expected text")
        .max(2_000, "expected at most 2000 characters")
        .optional()
        .describe("Comment of the person."),
    },
    "expected an object with approve, value, repeat or comment",
  )
  .describe("An answer to what a run waits for.");

/** The hop of a fork, and its query. */
export const forkBodySchema = z
  .strictObject(
    {
      at: z
        .string("expected text")
        .min(1, "expected the id of a librarian, or the key of a hop")
        .max(500, "expected at most 500 characters")
        .describe(
          "Id of a librarian: its first hop, or its second with `~2`. Or the key of a hop.",
        ),
      query: z
        .string("expected text")
        .min(1, "expected a question that is not blank")
        .max(100_000, "expected at most 100000 characters")
        .regex(/\S/, "expected a question that is not blank")
        .optional()
        .describe("Query of the hop. Default: the same as before."),
    },
    "expected an object with at and query",
  )
  .describe("A fork of a run: the hop, and what is below it, is asked again.");

/** What a replay gives: the run as it was, without a call. */
export const replaySchema = z.object({
  runId: z.string(),
  response: z.looseObject({}),
  run: z.looseObject({}).describe("Its record."),
});

/** Something that a run waits for. */
export const waitingSchema = z.looseObject({
  id: z.string(),
  runId: z.string(),
  kind: z.enum(["approval", "question", "event", "outcome-unknown"]),
  librarian: z.string(),
  what: z.string().describe("What is to be approved, the question, or the name of the event."),
  why: z.string().optional(),
  data: z.record(z.string(), z.unknown()).optional().describe("Data to decide on."),
  requestedBy: z.string().optional().describe("Id of the user of the run."),
  schema: z.record(z.string(), z.unknown()).optional().describe("JSON Schema of the answer."),
  expiresAt: z.number().optional().describe("Epoch milliseconds."),
});

/** What `GET /waiting` gives: oldest first. */
export const waitingListSchema = z.object({ waiting: z.array(waitingSchema) });

/** State of a run that continues without its client. */
export const runStateSchema = z.object({
  runId: z.string(),
  status: z.enum(["running", "waiting", "ended"]),
});

/** The last response of a journaled run. */
export function readOutcome({ outcome }: StoredRun): Response | undefined {
  return outcome === undefined ? undefined : (JSON.parse(outcome) as Response); // written by the journal
}

import type {
  ContentHop,
  ContentModelCall,
  ContentRecord,
  HopContent,
} from "@constellation/authoring";
import { errorCodeSchema, responseSchema } from "@constellation/authoring/schemas";
import {
  errorCodes,
  type FailureRecord,
  type MissingBranch,
  type RemoteRun,
  type SpentRecord,
  type UnsettledLibrarian,
  type UsageRecord,
} from "@constellation/core";
import type { RunStatus } from "@constellation/journal";
import { z } from "zod";
import { waitingSchema } from "../journal/journal.schema.js";
import { type GroupFigures, type PartFigures, type RunStats, statsGroups } from "./count-runs.js";
import type { DatasetPlace, Feedback, KeptRun, RunSummary } from "./kept-run.js";

// What /runs returns. The annotations make the compiler prove that they match the types.

const milliseconds = z.number().min(0);
const stopReason = z.enum([
  "answered",
  "partial",
  "not-found",
  "refused",
  "waiting",
  "deadline",
  "cancelled",
  "loop",
  "depth",
  "budget",
  "failed",
]);

const failureFields = {
  code: errorCodeSchema,
  message: z.string(),
  reason: z.string().optional(),
};

const failureSchema: z.ZodType<FailureRecord> = z.object(failureFields);

const missingSchema: z.ZodType<MissingBranch> = z.object({
  to: z.string(),
  code: errorCodeSchema,
  reason: z.string().optional(),
  message: z.string(),
});

const spentSchema: z.ZodType<SpentRecord> = z.object({
  hops: z.number().int(),
  tokens: z.number().optional(),
  costUsd: z.number().optional(),
});

const unsettledSchema: z.ZodType<UnsettledLibrarian> = z.object({
  librarian: z.string(),
  mesh: z.string(),
  host: z.string(),
});

const remoteRunSchema: z.ZodType<RemoteRun> = z
  .object({
    mesh: z.string(),
    host: z.string(),
    runId: z.string(),
    durationMs: milliseconds,
    hops: z.array(
      z.object({
        id: z.number().int(),
        parentId: z.number().int().optional(),
        to: z.string(),
        startMs: milliseconds,
        durationMs: milliseconds,
        outcome: z.string(),
        code: z.string().optional(),
        confidence: z.number().optional(),
        abandoned: z.literal(true).optional(),
        remote: z.lazy(() => remoteRunSchema).optional(),
      }),
    ),
  })
  .describe("A run in another mesh, as that mesh reports it.");

const usageFields = {
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number().optional(),
  cacheWriteTokens: z.number().optional(),
  costUsd: z.number().optional().describe("US dollars, where every price is known."),
  retries: z.number().optional().describe("Requests that were sent again to a busy service."),
  estimated: z.literal(true).optional().describe("True where tokens are estimated from the texts."),
};

const usageSchema: z.ZodType<UsageRecord> = z.object({
  ...usageFields,
  modelCalls: z.number().int(),
});

const modelCallSchema: z.ZodType<ContentModelCall> = z.object({
  id: z.number().int(),
  method: z.enum(["complete", "analyze", "runTools"]),
  model: z.string().optional(),
  promptId: z.string().optional(),
  attempt: z
    .number()
    .int()
    .optional()
    .describe("From 2, where the previous reply could not be used."),
  startMs: z.number(),
  durationMs: milliseconds.optional(),
  usage: z.object(usageFields).optional(),
  stopReason: z.string().optional(),
  error: z
    .object({ ...failureFields, problem: z.string().optional(), status: z.number().optional() })
    .optional(),
  content: z
    .object({
      system: z.string().optional(),
      prompt: z.string(),
      reply: z.string().optional(),
      problem: z.string().optional(),
      again: z.string().optional().describe("The problem of the previous reply."),
    })
    .optional(),
});

const contentSchema: z.ZodType<HopContent> = z.object({
  answer: z.string().optional(),
  sources: z
    .array(
      z.object({
        name: z.string(),
        url: z.string().optional(),
        relevance: z.number().optional(),
      }),
    )
    .optional(),
  queries: z.array(z.object({ to: z.string(), query: z.string() })).optional(),
  metadata: z.string().optional().describe("JSON."),
  progress: z.array(z.object({ atMs: z.number(), message: z.string() })).optional(),
  errorDetails: z.string().optional().describe("JSON."),
  thrown: z.string().optional().describe("Message and stack; only with `debug`."),
});

const hopSchema: z.ZodType<ContentHop> = z.object({
  id: z.number().int().min(1),
  parentId: z.number().int().optional(),
  to: z.string(),
  depth: z.number().int().min(0),
  via: z.enum(["entry", "delegate", "ask", "fallback"]),
  query: z.string(),
  reason: z.string().optional(),
  startMs: z.number(),
  durationMs: milliseconds,
  outcome: z
    .enum(["answer", "partial", "delegate", "error", "cancelled", "refused", "waiting"])
    .optional(),
  attempt: z.number().int().min(1),
  again: z
    .object({ kind: z.enum(["retry", "hedge"]), hopId: z.number().int() })
    .optional()
    .describe("The hop that it repeats, and why."),
  shared: z.enum(["run", "flight", "cache", "stale", "journal"]).optional(),
  confidence: z.number().optional(),
  sources: z.number().int().optional(),
  error: failureSchema.optional(),
  abandoned: z.literal(true).optional(),
  blockedMs: milliseconds.optional(),
  lateMs: milliseconds.optional(),
  remote: remoteRunSchema.optional(),
  remoteUnsettled: z.array(unsettledSchema).optional(),
  fanOut: z
    .object({
      strategy: z.string(),
      delegates: z.array(z.string()),
      used: z.array(z.string()).optional(),
      missing: z.array(missingSchema).optional(),
      endMs: milliseconds.optional().describe("From the start of the run to the merged response."),
    })
    .optional(),
  usage: usageSchema.optional(),
  modelCalls: z.array(modelCallSchema).optional(),
  content: contentSchema.optional().describe("What it said; only with `recordContent`."),
});

const recordSchema: z.ZodType<ContentRecord> = z.object({
  runId: z.string(),
  mesh: z.string().optional(),
  callerRunId: z.string().optional(),
  query: z.string(),
  to: z.string(),
  startedAt: z.number().describe("Epoch milliseconds."),
  durationMs: milliseconds,
  stopReason: stopReason.optional().describe("Absent while it runs."),
  confidence: z.number().optional(),
  error: failureSchema.optional(),
  usage: usageSchema.optional(),
  unsettled: z.number().int(),
  spent: spentSchema.optional(),
  omittedRefusals: z.number().int().optional(),
  hops: z.array(hopSchema),
});

const user = z.object({ id: z.string() }).optional();
const rating = z.enum(["up", "down"], "expected up or down");

/** Body of `PUT /runs/:id/feedback`. */
export const feedbackBodySchema = z.strictObject({
  rating,
  note: z.string("expected text").max(2_000, "expected at most 2,000 characters").optional(),
});

/** Feedback, as it is kept. */
export const feedbackSchema: z.ZodType<Feedback> = z.object({
  rating,
  note: z.string().optional(),
  at: z.number().describe("Epoch milliseconds."),
  by: z.string().optional(),
});

const shortText = z
  .string("expected text")
  .trim()
  .min(1, "expected text")
  .max(60, "expected at most 60 characters");

/** Body of `PUT /runs/:id/dataset`, and what is kept of it. */
export const datasetPlaceSchema: z.ZodType<DatasetPlace> = z
  .strictObject({
    name: shortText,
    experiment: shortText.optional(),
    caseId: z.string("expected the id of a run").max(200).optional(),
  })
  .refine(
    ({ experiment, caseId }) => (experiment === undefined) === (caseId === undefined),
    "experiment and caseId: expected both or neither",
  );

/** What `GET /runs/datasets` gives. */
export const datasetListSchema = z.object({
  datasets: z
    .array(
      z.object({ name: z.string(), cases: z.number().int(), experiments: z.array(z.string()) }),
    )
    .describe("Newest addition first, experiments included."),
});

const withheld = z
  .literal(true)
  .optional()
  .describe("The reader may not read its texts: query, answer, reasons and messages are left out.");

/** What `GET /runs/:id` gives. */
export const keptRunSchema: z.ZodType<
  KeptRun & {
    readonly withheld?: true | undefined;
    readonly status?: RunStatus | undefined;
    readonly waiting?: readonly z.infer<typeof waitingSchema>[] | undefined;
  }
> = z.object({
  record: recordSchema,
  response: responseSchema.optional(),
  cut: z.enum(["content", "response", "hops"]).optional().describe("What was too large to keep."),
  user,
  traceId: z.string().optional(),
  feedback: feedbackSchema.optional(),
  dataset: datasetPlaceSchema.optional(),
  status: z
    .enum(["running", "waiting", "ended"])
    .optional()
    .describe("In the journal, whatever process works on it."),
  waiting: z.array(waitingSchema).optional().describe("What it waits for."),
  withheld,
});

const summarySchema: z.ZodType<RunSummary & { readonly withheld?: true | undefined }> = z.object({
  runId: z.string(),
  query: z.string().optional(),
  to: z.string(),
  startedAt: z.number().describe("Epoch milliseconds."),
  durationMs: milliseconds,
  stopReason: stopReason.optional(),
  code: z.enum(Object.keys(errorCodes) as (keyof typeof errorCodes)[]).optional(), // the keys of a constant
  confidence: z.number().optional(),
  hops: z.number().int(),
  usage: usageSchema.optional(),
  user,
  rating: rating.optional(),
  dataset: datasetPlaceSchema.optional(),
  librarians: z
    .array(
      z.object({
        to: z.string(),
        hops: z.number().int(),
        errors: z.number().int(),
        refused: z.number().int(),
        durationMs: milliseconds.describe("Of its longest hop."),
        usage: usageSchema.optional(),
      }),
    )
    .optional()
    .describe("Those that were called, at most 64."),
  models: z
    .array(
      z.object({
        model: z.string(),
        durationMs: milliseconds,
        errors: z.number().int(),
        usage: usageSchema,
      }),
    )
    .optional()
    .describe("Models that were called, at most 64."),
  withheld,
});

/** What `GET /runs` gives: newest first. */
export const runListSchema = z.object({
  runs: z.array(summarySchema),
  hasMore: z.boolean().describe("Whether there may be older ones: ask again with `before`."),
});

const figures = {
  count: z.number().int(),
  answered: z.number().int(),
  notFound: z.number().int(),
  refused: z.number().int(),
  errors: z.number().int(),
  p50: milliseconds.optional(),
  p95: milliseconds.optional(),
  tokens: z.number(),
  costUsd: z.number().optional().describe("US dollars, where every price is known."),
};
const groupSchema: z.ZodType<GroupFigures> = z.object({
  name: z.string(),
  ...figures,
  before: z.object(figures).optional().describe("In the period of the same length before it."),
});

/** What `GET /runs/stats` gives. */
export const runStatsSchema: z.ZodType<
  RunStats & { readonly timeline: readonly PartFigures[]; readonly hasMore: boolean }
> = z.object({
  from: z.number().describe("Epoch milliseconds."),
  to: z.number().describe("Epoch milliseconds."),
  total: groupSchema,
  groups: z.partialRecord(z.enum(statsGroups), z.array(groupSchema)),
  timeline: z
    .array(z.object({ from: z.number().describe("Epoch milliseconds."), ...figures }))
    .describe("24 parts of the time, the oldest first."),
  hasMore: z.boolean().describe("Whether there may be older runs that were not counted."),
});

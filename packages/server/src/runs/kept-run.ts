import type { ContentModelCall, ContentRecord } from "@constellation/authoring";
import type {
  ErrorCode,
  ModelCallRecord,
  Response,
  RunRecord,
  StopReason,
  UsageRecord,
  User,
} from "@constellation/core";
import { addUsage } from "@constellation/core/checks";

/** Feedback of a person on an answer. */
export interface Feedback {
  readonly rating: "up" | "down";
  /** Why, in at most 2,000 characters. */
  readonly note?: string | undefined;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** Id of the person, where the server has users. */
  readonly by?: string | undefined;
}

/** The role of a run in a dataset: a case, or the answer of an experiment to a case. */
export interface DatasetPlace {
  /** Name of the dataset, 1 to 60 characters. */
  readonly name: string;
  /** Name of the experiment, and id of the run that is its case; absent for a case. */
  readonly experiment?: string | undefined;
  readonly caseId?: string | undefined;
}

/** What people add to a run after it has ended. */
export interface RunLabels {
  /** The last feedback on its answer. */
  readonly feedback?: Feedback | undefined;
  readonly dataset?: DatasetPlace | undefined;
}

/** A run, as it is kept. */
export interface KeptRun extends RunLabels {
  readonly record: ContentRecord;
  /** Absent while it runs. */
  readonly response?: Response | undefined;
  /** What was too large to keep: the texts of the hops, also the response, or also the hops. */
  readonly cut?: "content" | "response" | "hops" | undefined;
  /** Its user, where it was started through this server. */
  readonly user?: User | undefined;
  /** Id of its trace, where it was started through this server and is traced. */
  readonly traceId?: string | undefined;
}

/** An entry of the list of runs. */
export interface RunSummary {
  readonly runId: string;
  /** Cut to 300 characters. Absent where the reader may not read it. */
  readonly query?: string | undefined;
  readonly to: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly durationMs: number;
  /** Absent while it runs. */
  readonly stopReason?: StopReason | undefined;
  readonly code?: ErrorCode | undefined;
  readonly confidence?: number | undefined;
  readonly hops: number;
  /** Its use of models. */
  readonly usage?: UsageRecord | undefined;
  readonly user?: User | undefined;
  /** Of its feedback. */
  readonly rating?: Feedback["rating"] | undefined;
  readonly dataset?: DatasetPlace | undefined;
  /** Librarians that were called, each once, at most 64. Absent for runs of earlier versions. */
  readonly librarians?: readonly LibrarianShare[] | undefined;
  /** Models that were called, each once, at most 64. */
  readonly models?: readonly ModelShare[] | undefined;
}

/** What one librarian did in a run, all of its hops together. */
export interface LibrarianShare {
  readonly to: string;
  readonly hops: number;
  /** Of its hops, those that ended with an error, and those that were refused. */
  readonly errors: number;
  readonly refused: number;
  /** Of its longest hop. */
  readonly durationMs: number;
  readonly usage?: UsageRecord | undefined;
}

/** What calls of one model used in a run. */
export interface ModelShare {
  readonly model: string;
  readonly durationMs: number;
  readonly errors: number;
  readonly usage: UsageRecord;
}

/** Maximum number of librarians, and of models, in one line. */
const maxShares = 64;

function librariansIn({ hops }: RunRecord): readonly LibrarianShare[] {
  const shares = new Map<string, LibrarianShare>();
  for (const { to, outcome, durationMs, usage } of hops) {
    const before = shares.get(to);
    if (before === undefined && shares.size >= maxShares) continue;
    const sum = usage === undefined ? before?.usage : addUsage(before?.usage, usage);
    shares.set(to, {
      to,
      hops: (before?.hops ?? 0) + 1,
      errors: (before?.errors ?? 0) + (outcome === "error" ? 1 : 0),
      refused: (before?.refused ?? 0) + (outcome === "refused" ? 1 : 0),
      durationMs: Math.max(before?.durationMs ?? 0, durationMs),
      ...(sum !== undefined && { usage: sum }),
    });
  }
  return [...shares.values()];
}

function modelsIn({ hops }: RunRecord): readonly ModelShare[] {
  const shares = new Map<string, ModelShare>();
  for (const { model = "unnamed", usage, durationMs = 0, error } of hops.flatMap(
    ({ modelCalls = [] }) => modelCalls,
  )) {
    const before = shares.get(model);
    if (before === undefined && shares.size >= maxShares) continue;
    const used = usage ?? { inputTokens: 0, outputTokens: 0, costUsd: 0 };
    const call = { ...used, modelCalls: 1 };
    shares.set(model, {
      model,
      durationMs: (before?.durationMs ?? 0) + durationMs,
      errors: (before?.errors ?? 0) + (error === undefined ? 0 : 1),
      usage: addUsage(before?.usage, call),
    });
  }
  return [...shares.values()];
}

/** The list entry of a run. */
export function summarizeRun(record: RunRecord): RunSummary {
  const { runId, query, to, startedAt, durationMs, stopReason } = record;
  const { error, confidence, hops, usage } = record;
  const models = modelsIn(record);
  return {
    runId,
    query: query.slice(0, 300),
    to,
    startedAt,
    durationMs,
    ...(stopReason !== undefined && { stopReason }),
    ...(error !== undefined && { code: error.code }),
    ...(confidence !== undefined && { confidence }),
    hops: hops.length,
    ...(usage !== undefined && { usage }),
    librarians: librariansIn(record),
    ...(models.length > 0 && { models }),
  };
}

/**
 * A run without its texts: no query, answer, reason or message, and no user. Hops of other meshes are left out too,
 * because the rights there are not known.
 */
export function withoutTexts({ record, traceId }: KeptRun): KeptRun {
  const { error, hops, ...rest } = record;
  return {
    ...(traceId !== undefined && { traceId }),
    record: {
      ...rest,
      query: "",
      ...(error !== undefined && { error: { ...error, message: "" } }),
      hops: hops.map(
        ({
          reason: _,
          content: _said,
          remote: _elsewhere,
          remoteUnsettled: _there,
          error: failure,
          fanOut,
          modelCalls,
          ...hop
        }) => ({
          ...hop,
          query: "",
          ...(modelCalls !== undefined && { modelCalls: modelCalls.map(withoutContent) }),
          ...(failure !== undefined && { error: { ...failure, message: "" } }),
          ...(fanOut !== undefined && {
            fanOut: {
              ...fanOut,
              ...(fanOut.missing !== undefined && {
                missing: fanOut.missing.map((missing) => ({ ...missing, message: "" })),
              }),
            },
          }),
        }),
      ),
    },
  };
}

/** A record without what was said in its hops. */
export function omitContent(record: ContentRecord): RunRecord {
  return {
    ...record,
    hops: record.hops.map(({ content: _, modelCalls, ...hop }) => ({
      ...hop,
      ...(modelCalls !== undefined && {
        modelCalls: modelCalls.map(({ content: _said, ...call }) => call),
      }),
    })),
  };
}

function withoutContent({ content: _, error, ...call }: ContentModelCall): ModelCallRecord {
  if (error === undefined) return call;
  const { problem: _words, ...failure } = error;
  return { ...call, error: { ...failure, message: "" } };
}

/** The labels in the list entry of a run. */
export function summarizeLabels({ feedback, dataset }: RunLabels): Partial<RunSummary> {
  return {
    ...(feedback !== undefined && { rating: feedback.rating }),
    ...(dataset !== undefined && { dataset }),
  };
}

import type {
  ErrorCode,
  ModelCallRecord,
  Response,
  RunRecord,
  StopReason,
  UsageRecord,
  User,
} from "@constellation/core";

/** A run, as it is kept. */
export interface KeptRun {
  readonly record: RunRecord;
  /** Absent while it runs. */
  readonly response?: Response | undefined;
  /** Too large to keep: what was said in its hops, the response too, or the hops too. */
  readonly cut?: "content" | "response" | "hops" | undefined;
  /** Its user, where it was started through this server. */
  readonly user?: User | undefined;
  /** Id of its trace, where it was started through this server and is traced. */
  readonly traceId?: string | undefined;
}

/** A line of the list of runs. */
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
  /** What it used of models. */
  readonly usage?: UsageRecord | undefined;
  readonly user?: User | undefined;
}

/** The line of a run. */
export function summaryOf(record: RunRecord): RunSummary {
  const { runId, query, to, startedAt, durationMs, stopReason } = record;
  const { error, confidence, hops, usage } = record;
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
  };
}

/**
 * A run without its texts: no query, answer, reason or message, and no user. Nor what other meshes did in it:
 * what a reader may know of them is not known here.
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
export function withoutContentOf(record: RunRecord): RunRecord {
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

function withoutContent({ content: _, error, ...call }: ModelCallRecord): ModelCallRecord {
  if (error === undefined) return call;
  const { problem: _words, ...failure } = error;
  return { ...call, error: { ...failure, message: "" } };
}

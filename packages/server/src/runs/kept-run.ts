import type { ErrorCode, Response, RunRecord, StopReason, User } from "@constellation/core";

/** A run, as it is kept. */
export interface KeptRun {
  readonly record: RunRecord;
  /** Absent while it runs. */
  readonly response?: Response | undefined;
  /** Too large to keep: the response, or the hops too. */
  readonly cut?: "response" | "hops" | undefined;
  /** Its user, where it was started through this server. */
  readonly user?: User | undefined;
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
  readonly user?: User | undefined;
}

/** The line of a run. */
export function summaryOf(record: RunRecord): RunSummary {
  const { runId, query, to, startedAt, durationMs, stopReason, error, confidence, hops } = record;
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
  };
}

/** A run without its texts: no query, answer, reason or message, and no user. */
export function withoutTexts({ record }: KeptRun): KeptRun {
  const { error, hops, ...rest } = record;
  return {
    record: {
      ...rest,
      query: "",
      ...(error !== undefined && { error: { ...error, message: "" } }),
      hops: hops.map(({ reason: _, error: failure, fanOut, ...hop }) => ({
        ...hop,
        query: "",
        ...(failure !== undefined && { error: { ...failure, message: "" } }),
        ...(fanOut !== undefined && {
          fanOut: {
            ...fanOut,
            ...(fanOut.missing !== undefined && {
              missing: fanOut.missing.map((missing) => ({ ...missing, message: "" })),
            }),
          },
        }),
      })),
    },
  };
}

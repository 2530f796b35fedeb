import type { ErrorInfo } from "../../contract/error-code.js";
import type { DecisionRecord } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { RemoteReport, SpentRecord } from "../../contract/remote-call.js";
import type { BreakerState } from "../../contract/resilience.js";
import type { Progress, Response } from "../../contract/response.js";
import {
  describeType,
  isRecord,
  type Mutable,
  withoutUndefined,
} from "../../contract/unknown-value.js";
import { delegatesOf } from "../../contract/validate-response.js";
import { type HopPlace, type MeshEvent, type Outcome, stopReasonOf } from "../../events/events.js";
import { readUsage } from "../../events/usage.js";
import { now } from "../run/deadline-timer.js";
import type { FanOut, Hop, MergeOutcome, RunState } from "../run/model.js";
import type { ModelCallEnd, ModelCallStart } from "./model-calls.js";

// The events of a run, one function for each.

const maxMessageLength = 4_000;
const maxTextLength = 65_536;
const maxReasonLength = 1_000;

type EventOf<Type extends MeshEvent["type"]> = Extract<MeshEvent, { readonly type: Type }>;

export function runStart(run: RunState, to: string): MeshEvent {
  const { id: runId, query, limits, caller, mesh } = run;
  const { timeoutMs } = limits;
  const { meshName } = mesh.settings;
  const start: Mutable<EventOf<"run:start">> = {
    type: "run:start",
    runId,
    at: Date.now(),
    to,
    query,
    timeoutMs,
    mesh: meshName,
  };
  if (caller?.runId !== undefined) start.callerRunId = caller.runId;
  return start;
}

export function hopStart(hop: Hop): MeshEvent {
  const { registration } = hop;
  const timeoutMs = hop.endsAt - hop.startedAt;
  const { waitedMs = 0, attempt = 1, again, replay } = hop.extras ?? {};
  return {
    type: "hop:start",
    ...describePlace(hop),
    timeoutMs,
    attempt,
    ...(again !== undefined && { again: { kind: again.kind, hopId: getHopId(again.of) } }),
    ...(waitedMs > 0 && { waitedMs }),
    ...(replay !== undefined && { shared: replay.from }),
    ...(replay === undefined && registration?.info.effects === "write" && { effects: "write" }),
  };
}

export function hopRefused(hop: Hop, error: ErrorInfo): MeshEvent {
  return { type: "hop:refused", ...describePlace(hop), error };
}

export function hopEnd(hop: Hop, response: Response, failure: MeshError | undefined): MeshEvent {
  const { confidence, sources, error } = response;
  const delegates = delegatesOf(response);
  const event: Mutable<EventOf<"hop:end">> = {
    type: "hop:end",
    runId: hop.run.id,
    at: Date.now(),
    hopId: getHopId(hop),
    to: hop.to,
    durationMs: now() - hop.startedAt,
    outcome: readOutcome(response),
  };
  if (confidence !== undefined) event.confidence = confidence;
  if (sources !== undefined) event.sources = sources.length;
  if (delegates.length > 0) event.delegates = delegates.map(({ to }) => to);
  if (error !== undefined) event.error = error;
  if (failure?.cause !== undefined) event.cause = failure.cause;
  const blockedMs = hop.observation?.blockedMs;
  if (blockedMs !== undefined) event.blockedMs = blockedMs;
  event.response = response;
  return event;
}

export function breakerChange({ run, to }: Hop, state: BreakerState): MeshEvent {
  return { type: "breaker:change", runId: run.id, at: Date.now(), to, state };
}

/** @param error - What stopped the hop. */
export function hopAbandoned(hop: Hop, error: ErrorInfo | undefined): MeshEvent {
  const reason = error?.details?.reason === "deadline" ? "deadline" : "cancelled";
  return { type: "hop:abandoned", ...hopFields(hop), reason };
}

export function hopLate(hop: Hop): MeshEvent {
  return { type: "hop:late", ...hopFields(hop), lateMs: now() - hop.startedAt };
}

/** @throws TypeError for what is not progress. */
export function hopProgress(hop: Hop, progress: unknown): MeshEvent {
  return { type: "hop:progress", ...hopFields(hop), progress: bounded(progress) };
}

export function waitAnswered(hop: Hop, decision: DecisionRecord): MeshEvent {
  return { type: "wait:answered", ...hopFields(hop), ...decision };
}

export function modelStart(hop: Hop, callId: number, call: ModelCallStart): MeshEvent {
  return { type: "model:start", ...hopFields(hop), callId, ...withoutUndefined(call) };
}

export function modelEnd(hop: Hop, callId: number, call: ModelCallEnd): MeshEvent {
  const usage = call.usage && readUsage(call.usage);
  const ended = withoutUndefined({ ...call, usage, error: call.error?.toInfo() });
  return { type: "model:end", ...hopFields(hop), callId, ...ended };
}

export function hopRemote(hop: Hop, { run, spent, unsettled }: RemoteReport): MeshEvent {
  return { type: "hop:remote", ...hopFields(hop), run, spent, unsettled };
}

export function fanOutStart({ hop, children, strategy, notAsked }: FanOut): MeshEvent {
  const delegates = children.map(({ to }) => to);
  return {
    type: "fanout:start",
    ...hopFields(hop),
    delegates,
    strategy,
    notAsked: notAsked.length,
  };
}

export function fanOutEnd(
  { hop, strategy, startedAt }: FanOut,
  { used, missing }: MergeOutcome,
): MeshEvent {
  return {
    type: "fanout:end",
    ...hopFields(hop),
    strategy,
    used: used.map(({ to }) => to),
    missing,
    durationMs: now() - startedAt,
  };
}

export function runEnd(run: RunState, response: Response): MeshEvent {
  return {
    type: "run:end",
    runId: run.id,
    at: Date.now(),
    durationMs: now() - run.limits.startedAt,
    response,
    stopReason: stopReasonOf(response),
    unsettled: run.calls.unsettled,
    spent: spentBy(run),
  };
}

/** What a run has used so far. */
function spentBy({ limits, ledger }: RunState): SpentRecord {
  return { hops: limits.hopsUsed, tokens: ledger.tokensTaken, costUsd: ledger.costTaken };
}

export function runSettled({ id: runId }: RunState): MeshEvent {
  return { type: "run:settled", runId, at: Date.now() };
}

/** The outcome of a hop with this response. */
export function readOutcome(response: Response): Outcome {
  const { answer, partial, error } = response;
  if (delegatesOf(response).length > 0) return "delegate"; // none beside an error
  if (answer !== undefined) return partial === true ? "partial" : "answer";
  if (error?.details?.reason === "waiting") return "waiting";
  return error?.code === "TIMEOUT" && error.details?.reason === "cancelled" ? "cancelled" : "error";
}

function getHopId(hop: Hop): number {
  return hop.observation?.id ?? 0;
}

function hopFields(hop: Hop): { runId: string; at: number; hopId: number; to: string } {
  return { runId: hop.run.id, at: Date.now(), hopId: getHopId(hop), to: hop.to };
}

function describePlace(hop: Hop): HopPlace {
  const { run, parent, to, depth, via, query, reason } = hop;
  const place: Mutable<HopPlace> = {
    runId: run.id,
    at: Date.now(),
    hopId: getHopId(hop),
    to,
    depth,
    via,
    query,
  };
  if (parent !== undefined) place.parentId = getHopId(parent);
  if (typeof reason === "string") place.reason = reason.slice(0, maxReasonLength);
  return place;
}

function bounded(progress: unknown): Progress {
  if (typeof progress === "string") return { message: progress.slice(0, maxMessageLength) };
  const { message, text, replaces } = readParts(progress);
  if (typeof text === "string") {
    return { text: text.slice(0, maxTextLength), ...(replaces === true && { replaces }) };
  }
  if (typeof message === "string") return { message: message.slice(0, maxMessageLength) };
  throw new TypeError(
    `progress: expected text, { message } or { text }, got ${describeType(progress)}.`,
  );
}

function readParts(progress: unknown): {
  readonly message?: unknown;
  readonly text?: unknown;
  readonly replaces?: unknown;
} {
  try {
    if (!isRecord(progress)) return {};
    const { message, text, replaces } = progress;
    return { message, text, replaces };
  } catch {
    return {}; // it threw while it was being read
  }
}

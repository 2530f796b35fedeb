import type { Span, Tracer } from "@opentelemetry/api";
import type { ErrorInfo } from "../../contract/error-code.js";
import type { DecisionRecord } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { Progress, Response } from "../../contract/response.js";
import type { TraceContext } from "../../contract/trace-context.js";
import { delegatesOf } from "../../contract/validate-response.js";
import { stopReasonOf } from "../../events/events.js";
import { addCall, type UsageRecord, usageSince } from "../../events/usage.js";
import { attributes } from "../../tracing/attributes.js";
import {
  addDecision,
  addDelegation,
  addException,
  addModelFailure,
  addProgress,
  addResponded,
  userAttributes,
} from "../../tracing/span-events.js";
import {
  type ActiveSpan,
  contextOfTrace,
  formatMessage,
  idText,
  inSpan,
  linkFanIn,
  linkShared,
  openSpan,
  recordFailure,
  traceOfSpan,
} from "../../tracing/spans.js";
import type { FanOut, Hop, MergeOutcome, RunState } from "../run/model.js";
import type { ModelCallEnd } from "./model-calls.js";
import { readOutcome } from "./run-events.js";

/** Events of progress on one span. */
const maxProgressEvents = 100;

/** The spans of one run: its own, those of its hops, and those of its merges. */
export class RunSpans {
  readonly #tracer: Tracer;
  readonly #name: string;
  readonly #withContent: boolean;
  #merges: Map<FanOut, ActiveSpan> | undefined;
  #run: ActiveSpan | undefined;
  #usage: UsageRecord | undefined;
  /** Hops whose delegates are called. */
  readonly #delegating = new Set<Hop>();
  /** Usage of each hop when its librarian had answered: later usage belongs to its merge. */
  #beforeMerge: Map<Hop, UsageRecord | undefined> | undefined;

  constructor(tracer: Tracer, { name, recordContent }: RunState["mesh"]["settings"]) {
    this.#tracer = tracer;
    this.#name = name;
    this.#withContent = recordContent;
  }

  startRun(run: RunState): void {
    const { callerTrace, id, limits, query, user } = run;
    const started = {
      [attributes.operationName]: "invoke_workflow",
      [attributes.workflowName]: this.#name,
      [attributes.runId]: id,
    };
    const parent = callerTrace === undefined ? undefined : contextOfTrace(callerTrace);
    this.#run = openSpan(this.#tracer, `invoke_workflow ${this.#name}`, started, parent);
    if (!this.#isSampled) return;
    const { span } = this.#run;
    if (user !== undefined) span.setAttributes(userAttributes(user, this.#withContent));
    if (Number.isFinite(limits.timeoutMs))
      span.setAttribute(attributes.timeoutMs, limits.timeoutMs);
    if (this.#withContent)
      span.setAttribute(attributes.inputMessages, formatMessage("user", query));
  }

  endRun(response: Response): void {
    const { span } = this.#run ?? {};
    if (span === undefined) return;
    span.setAttribute(attributes.stopReason, stopReasonOf(response));
    for (const hop of [...this.#delegating].reverse()) this.#endDelegating(hop);
    setAnswer(span, response);
    setUsage(span, this.#usage);
    const missing = countItems(response.metadata?.missing);
    if (missing !== undefined) span.setAttribute(attributes.missingCount, missing);
    this.#describe(span, response);
    span.end();
  }

  startHop(hop: Hop): void {
    if (hop.observation === undefined) return;
    hop.observation.span = this.#openHop(hop);
    const leader = hop.extras?.replay?.leader?.observation?.span;
    const { span } = hop.observation;
    if (leader !== undefined && span !== undefined) linkShared(span.span, leader.span);
  }

  refuseHop(hop: Hop, error: ErrorInfo): void {
    const span = this.#openHop(hop)?.span;
    if (span === undefined) return;
    span.setAttribute(attributes.outcome, "refused");
    recordFailure(span, error);
    span.end();
  }

  /**
   * A librarian has responded. One that was stopped keeps its span until it is known whether it stopped,
   * one that delegates until its delegates have responded.
   */
  endHop(hop: Hop, response: Response, failure: MeshError | undefined): void {
    const { span } = hop.observation?.span ?? {};
    if (span === undefined) return;
    span.setAttribute(attributes.outcome, readOutcome(response));
    setAnswer(span, response);
    setUsage(span, hop.observation?.usage);
    if (failure?.cause !== undefined) addException(span, failure.cause, this.#withContent);
    this.#describe(span, response);
    if (hop.state !== "settled") return;
    const delegates = delegatesOf(response);
    if (delegates.length === 0) {
      span.end();
      return;
    }
    addResponded(span, delegates);
    this.#delegating.add(hop);
  }

  /** A librarian may block the event loop also after its hop has ended. */
  blockHop({ observation }: Hop, blockedMs: number): void {
    const span = observation?.span?.span;
    if (span?.isRecording()) span.setAttribute(attributes.blockedMs, Math.round(blockedMs));
  }

  /** The delegates of a hop have responded. */
  endDelegation(hop: Hop): void {
    if (this.#delegating.has(hop)) this.#endDelegating(hop);
  }

  #endDelegating(hop: Hop): void {
    this.#delegating.delete(hop);
    hop.observation?.span?.span.end();
  }

  progressed({ observation }: Hop, progress: string | Progress): void {
    const { span } = observation?.span ?? {};
    if (span === undefined || observation === undefined) return;
    observation.progress++;
    if (observation.progress <= maxProgressEvents) addProgress(span, progress, this.#withContent);
  }

  waitAnswered({ observation }: Hop, decision: DecisionRecord): void {
    const span = observation?.span?.span;
    if (span !== undefined) addDecision(span, decision, this.#withContent);
  }

  /** A call of a model is over: counted, and noted where its reply cannot be used. */
  endModelCall({ observation }: Hop, { usage, error, promptId }: ModelCallEnd): void {
    this.#usage = addCall(this.#usage, usage);
    const span = observation?.span?.span;
    if (span !== undefined && error !== undefined) addModelFailure(span, error, promptId);
  }

  /** @param endedAt - Epoch milliseconds. */
  abandonHop({ observation }: Hop, endedAt: number): void {
    observation?.span?.span.setAttribute(attributes.abandoned, true);
    observation?.span?.span.end(endedAt);
  }

  /** A hop that was stopped has settled: in time, unless its span has ended as abandoned. */
  settleHop({ observation }: Hop): void {
    if (observation?.span?.span.isRecording() === true) observation.span.span.end();
  }

  startMerge(fanOut: FanOut): void {
    if (!this.#isSampled || this.#merges?.has(fanOut) === true) return;
    const { hop, children, notAsked, strategy } = fanOut;
    const values = {
      [attributes.librarianId]: hop.to,
      [attributes.strategy]: strategy,
      [attributes.fanoutSize]: children.length + notAsked.length,
    };
    this.#beforeMerge ??= new Map();
    this.#beforeMerge.set(hop, hop.observation?.usage);
    const parent = (hop.observation?.span ?? this.#run)?.within;
    this.#merges ??= new Map();
    this.#merges.set(fanOut, openSpan(this.#tracer, `merge ${strategy}`, values, parent));
  }

  /** Ends the span of a merge, with a link to each answer it used. */
  endMerge(fanOut: FanOut, { response, used, missing }: MergeOutcome): void {
    const { span } = this.#merges?.get(fanOut) ?? {};
    if (span === undefined) return;
    this.#merges?.delete(fanOut);
    for (const { observation } of used) {
      if (observation?.span !== undefined) linkFanIn(span, observation.span.span);
    }
    setUsage(span, usageSince(this.#beforeMerge?.get(fanOut.hop), fanOut.hop.observation?.usage));
    this.#beforeMerge?.delete(fanOut.hop);
    span.setAttribute(attributes.missingCount, missing.length);
    if (response.answer === undefined && response.error !== undefined) {
      recordFailure(span, response.error);
    }
    span.end();
  }

  /** Calls `work` with the span of the run, of a hop or of a merge as the active one. */
  within<Result>(place: RunState | Hop | FanOut, work: () => Result): Result {
    const active =
      "limits" in place ? this.#run : "hop" in place ? this.#merges?.get(place) : findSpan(place);
    return active === undefined ? work() : inSpan(active, work);
  }

  traceOf(hop: Hop): TraceContext | undefined {
    const active = findSpan(hop) ?? this.#run;
    return active === undefined ? undefined : traceOfSpan(active.span);
  }

  /** A run that is not sampled has no spans below its own, which stays the active one. */
  get #isSampled(): boolean {
    return this.#run?.span.isRecording() !== false;
  }

  #openHop(hop: Hop): ActiveSpan | undefined {
    if (!this.#isSampled) return undefined;
    const { parent, to, reason, endsAt, startedAt } = hop;
    const id = idText(to);
    const above = (parent === undefined ? undefined : findSpan(parent)) ?? this.#run;
    // The SDK copies what a span starts with three times: only what a sampler may decide on is there at once.
    const started = {
      [attributes.operationName]: "invoke_agent",
      [attributes.agentName]: id,
      [attributes.librarianId]: id,
    };
    const opened = openSpan(this.#tracer, `invoke_agent ${id}`, started, above?.within);
    if (!opened.span.isRecording()) return opened;
    setHop(opened.span, hop, this.#withContent);
    if (parent !== undefined) {
      addDelegation(opened.span, { reason, timeoutMs: endsAt - startedAt }, this.#withContent);
    }
    return opened;
  }

  #describe(span: ActiveSpan["span"], { answer, error }: Response): void {
    if (this.#withContent && answer !== undefined) {
      span.setAttribute(attributes.outputMessages, formatMessage("assistant", answer));
    }
    // An error beside an answer was handled by the librarian that answered.
    if (error !== undefined && answer === undefined) recordFailure(span, error);
  }
}

function findSpan({ observation }: Hop): ActiveSpan | undefined {
  return observation?.span;
}

/**
 * Notes on the span of a hop what is known when it starts. One by one: an object of them costs as much as the
 * span keeping them.
 */
export function setHop(span: Span, hop: Hop, withContent: boolean): void {
  const { parent, depth, via, observation, query, extras } = hop;
  span.setAttribute(attributes.hopId, observation?.id ?? 0);
  span.setAttribute(attributes.depth, depth);
  span.setAttribute(attributes.mode, via);
  span.setAttribute(attributes.attempt, extras?.attempt ?? 1);
  if (parent !== undefined) span.setAttribute(attributes.from, parent.to);
  const { replay, waitedMs = 0 } = extras ?? {};
  if (replay !== undefined) span.setAttribute(attributes.shared, replay.from);
  if (waitedMs > 0) span.setAttribute(attributes.waitedMs, waitedMs);
  if (withContent) span.setAttribute(attributes.inputMessages, formatMessage("user", query));
}

/** Notes confidence and sources of an answer. */
export function setAnswer(span: Span, { confidence, sources }: Response): void {
  if (confidence !== undefined) span.setAttribute(attributes.confidence, confidence);
  if (sources !== undefined) span.setAttribute(attributes.sourcesCount, sources.length);
}

/** Notes what models used, where one was called. */
export function setUsage(span: Span, usage: UsageRecord | undefined): void {
  if (usage === undefined || usage.modelCalls === 0) return;
  const { inputTokens, outputTokens, cacheReadTokens, costUsd, estimated, modelCalls } = usage;
  span.setAttribute(attributes.inputTokens, inputTokens);
  span.setAttribute(attributes.outputTokens, outputTokens);
  span.setAttribute(attributes.modelCalls, modelCalls);
  if (cacheReadTokens !== undefined) span.setAttribute(attributes.cacheReadTokens, cacheReadTokens);
  if (costUsd !== undefined) span.setAttribute(attributes.costUsd, costUsd);
  if (estimated === true) span.setAttribute(attributes.usageEstimated, true);
}

/** Length of a value that should be an array, but comes from a librarian. */
export function countItems(missing: unknown): number | undefined {
  try {
    return Array.isArray(missing) ? missing.length : undefined;
  } catch {
    return undefined; // a revoked proxy
  }
}

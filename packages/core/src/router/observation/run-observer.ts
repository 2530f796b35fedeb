import type { AIClient } from "../../contract/ai-client.js";
import type { ErrorInfo } from "../../contract/error-code.js";
import type { DecisionRecord } from "../../contract/journal.js";
import type { MeshError } from "../../contract/mesh-error.js";
import type { RemoteReport } from "../../contract/remote-call.js";
import type { BreakerState } from "../../contract/resilience.js";
import type { Progress, Response } from "../../contract/response.js";
import type { TraceContext } from "../../contract/trace-context.js";
import { describeThrown } from "../../contract/unknown-value.js";
import type { Emitter } from "../../events/emitter.js";
import type { MeshEvent } from "../../events/events.js";
import { addCall } from "../../events/usage.js";
import { activeTracer } from "../../tracing/spans.js";
import { listMissing } from "../fan-out/missing.js";
import type {
  FanOut,
  Hop,
  HopObservation,
  MergeOutcome,
  Mesh,
  RunObserver,
  RunState,
} from "../run/model.js";
import type { EventBuffer } from "./event-buffer.js";
import { observeModel } from "./model-calls.js";
import * as events from "./run-events.js";
import { RunSpans } from "./run-spans.js";
import { runInHop, unwatchHop, watchHop } from "./running-hop.js";

/** Refused hops of one run that have a span. */
const maxRefusalSpans = 1_000;

/**
 * Creates the observer of a run.
 *
 * @param buffer - Keeps the run's events.
 * @returns `undefined` when nothing observes the run: no buffer, no listener, no tracing SDK.
 */
export function createRunObserver(
  { emitter, settings }: Mesh,
  buffer: EventBuffer | undefined,
): RunObserver | undefined {
  const tracer = activeTracer();
  if (tracer === undefined && buffer === undefined && emitter.listeners === 0) return undefined;
  const spans = tracer === undefined ? undefined : new RunSpans(tracer, settings);
  return new Observer(emitter, buffer, spans);
}

class Observer implements RunObserver {
  readonly #emitter: Emitter;
  readonly #buffer: EventBuffer | undefined;
  readonly #spans: RunSpans | undefined;
  /** Fan-outs whose end has yet to be reported. */
  #open: Set<FanOut> | undefined;
  #hops = 0;
  #modelCalls = 0;

  constructor(emitter: Emitter, buffer: EventBuffer | undefined, spans: RunSpans | undefined) {
    this.#emitter = emitter;
    this.#buffer = buffer;
    this.#spans = spans;
  }

  runStarted(run: RunState, to: string): void {
    this.#report(
      () => events.runStart(run, to),
      (spans) => spans.startRun(run),
    );
  }

  runEnded(run: RunState, response: Response): void {
    this.#endOpenFanOuts();
    this.#report(
      () => events.runEnd(run, response),
      (spans) => spans.endRun(response),
    );
  }

  runSettled(run: RunState): void {
    this.#report(() => events.runSettled(run));
  }

  hopStarted(hop: Hop): void {
    if (hop.run.calls.isOver) return; // below a call that continues for other runs
    watchHop();
    hop.observation = createObservation(++this.#hops);
    this.#report(
      () => events.hopStart(hop),
      (spans) => spans.startHop(hop),
    );
  }

  hopRefused(hop: Hop, error: ErrorInfo): void {
    hop.observation = createObservation(++this.#hops);
    this.#report(
      () => events.hopRefused(hop, error),
      (spans) => {
        if (hop.run.limits.refusals < maxRefusalSpans) spans.refuseHop(hop, error);
      },
    );
  }

  hopEnded(hop: Hop, response: Response, failure: MeshError | undefined): void {
    if (hop.observation === undefined) return;
    unwatchHop();
    this.#report(
      () => events.hopEnd(hop, response, failure),
      (spans) => spans.endHop(hop, response, failure),
    );
    if (hop.state !== "stopped") return;
    const endedAt = Date.now();
    afterMicrotasks(() => this.#hopAbandoned(hop, response.error, endedAt));
  }

  hopBlocked(hop: Hop, blockedMs: number): void {
    const { observation } = hop;
    if (observation === undefined || blockedMs < (observation.blockedMs ?? 0)) return;
    observation.blockedMs = blockedMs;
    this.#report(undefined, (spans) => spans.blockHop(hop, blockedMs));
  }

  delegationEnded(hop: Hop): void {
    this.#report(undefined, (spans) => spans.endDelegation(hop));
  }

  /** Unless it has settled by now. */
  #hopAbandoned(hop: Hop, error: ErrorInfo | undefined, endedAt: number): void {
    if (hop.state === "settled") return;
    this.#report(
      () => events.hopAbandoned(hop, error),
      (spans) => spans.abandonHop(hop, endedAt),
    );
  }

  hopSettledLate(hop: Hop): void {
    if (hop.observation === undefined) return;
    this.#report(
      () => events.hopLate(hop),
      (spans) => spans.settleHop(hop),
    );
  }

  breakerChanged(hop: Hop, state: BreakerState): void {
    this.#report(() => events.breakerChange(hop, state));
  }

  /** @throws TypeError for what is not progress: the librarian's own mistake. */
  progressed(hop: Hop, progress: string | Progress): void {
    if ((!this.#isListening && this.#spans === undefined) || hop.observation === undefined) return;
    const event = events.hopProgress(hop, progress);
    this.#report(
      () => event,
      (spans) => spans.progressed(hop, progress),
    );
  }

  waitAnswered(hop: Hop, decision: DecisionRecord): void {
    if (hop.observation === undefined) return;
    this.#report(
      () => events.waitAnswered(hop, decision),
      (spans) => spans.waitAnswered(hop, decision),
    );
  }

  modelOf(hop: Hop, ai: AIClient): AIClient {
    const { observation } = hop;
    if (observation === undefined) return ai;
    return observeModel(ai, (start) => {
      const callId = ++this.#modelCalls;
      this.#report(() => events.modelStart(hop, callId, start));
      return (end) => {
        observation.usage = addCall(observation.usage, end.usage);
        this.#report(
          () => events.modelEnd(hop, callId, end),
          (spans) => spans.endModelCall(hop, end),
        );
      };
    });
  }

  remoteReported(hop: Hop, report: RemoteReport): void {
    if (hop.observation !== undefined) this.#report(() => events.hopRemote(hop, report));
  }

  fanOutStarted(fanOut: FanOut): void {
    if (fanOut.hop.observation === undefined) return;
    this.#open ??= new Set();
    this.#open.add(fanOut);
    this.#report(() => events.fanOutStart(fanOut));
  }

  mergeStarted(fanOut: FanOut): void {
    if (this.#open?.has(fanOut) !== true) return;
    this.#report(undefined, (spans) => spans.startMerge(fanOut));
  }

  fanOutEnded(fanOut: FanOut, merged: MergeOutcome): void {
    if (this.#open?.delete(fanOut) !== true) return; // the run ended before it
    this.#report(
      () => events.fanOutEnd(fanOut, merged),
      (spans) => spans.endMerge(fanOut, merged),
    );
  }

  /** Ends the fan-outs that the end of the run cut off. */
  #endOpenFanOuts(): void {
    if (this.#open === undefined) return;
    for (const fanOut of [...this.#open].reverse()) {
      this.mergeStarted(fanOut);
      const missing = listMissing(fanOut, fanOut.arrivals, true);
      this.fanOutEnded(fanOut, { response: {}, used: [], missing });
    }
  }

  within<Result>(place: RunState | Hop | FanOut, work: () => Result): Result {
    const spans = this.#spans;
    const traced = spans === undefined ? work : () => spans.within(place, work);
    return "to" in place ? runInHop(place, traced) : traced();
  }

  traceOf(hop: Hop): TraceContext | undefined {
    return this.#spans?.traceOf(hop);
  }

  close(): void {
    const buffer = this.#buffer;
    if (buffer !== undefined) afterMicrotasks(() => buffer.close()); // hops may yet be abandoned
  }

  /** Whether events are read: they are built only then. */
  get #isListening(): boolean {
    return this.#buffer !== undefined || this.#emitter.listeners > 0;
  }

  /**
   * Emits an event where someone listens, and notes it on spans where there are any. A tracing SDK that throws becomes
   * a process warning and changes nothing.
   */
  #report(event: (() => MeshEvent) | undefined, note?: (spans: RunSpans) => void): void {
    try {
      if (event !== undefined && this.#isListening) {
        const made = event();
        this.#buffer?.add(made);
        this.#emitter.emit(made);
      }
      if (this.#spans !== undefined) note?.(this.#spans);
    } catch (thrown) {
      warn(thrown);
    }
  }
}

function createObservation(id: number): HopObservation {
  return { id, span: undefined, usage: undefined, blockedMs: undefined, progress: 0 };
}

/**
 * Calls back once everything that can react to an abort without waiting for the outside world has
 * done so: after the promise callbacks that wait now, and those that they make. Takes no timer.
 */
function afterMicrotasks(callback: () => void): void {
  queueMicrotask(() => process.nextTick(callback));
}

/** Warns once, because an observer that throws once throws each time. */
let hasWarned = false;

function warn(thrown: unknown): void {
  if (hasWarned) return;
  hasWarned = true;
  process.emitWarning(`A run observer threw an error (${describeThrown(thrown)}).`, {
    type: "ConstellationWarning",
    code: "CONSTELLATION_OBSERVE",
  });
}

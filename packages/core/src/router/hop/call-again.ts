import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import type { CircuitBreaker } from "../../resilience/circuit-breaker.js";
import { isRetryable, outcomeForBreaker, retryDelay } from "../../resilience/failure.js";
import { invoke } from "../run/calls.js";
import { now } from "../run/deadline-timer.js";
import { cancelled, circuitOpen, errorOf } from "../run/errors.js";
import { extrasOf, repeatHop, whyClosed } from "../run/hop.js";
import type { Hop, Race, RunLimits } from "../run/model.js";
import { waitFor } from "../run/wait.js";
import { leaseHop } from "./lease-hop.js";
import { refused } from "./refused.js";
import { needsSlot, takeSlot } from "./take-slot.js";
import { hasWritten } from "./written.js";

/**
 * Calls the librarian of a hop, and again as its `retry` and `hedge` allow.
 *
 * @returns The first response without an error that may pass, or the last response. Never rejects.
 */
export async function callWithRetries(first: Hop): Promise<Called> {
  const { retry } = first.registration?.policy ?? {};
  if (retry === undefined) return callHedged(first);
  const { limits } = first.run;
  let hop = first;
  for (let attempt = 1; ; attempt++) {
    const called = await callHedged(hop);
    const { response, isRefused } = called;
    const mayRepeat = isRetryable(response) && !isRefused && !hasWritten(called.hop);
    if (attempt >= retry.attempts || !mayRepeat) return called;
    const delayMs = retryDelay(retry, attempt, response.error?.details?.retryAfterMs);
    if (!mayGetHop(limits) || now() + delayMs >= hop.endsBy) return called;
    const refusal = await pause(hop, delayMs);
    if (refusal !== undefined) return { ...called, response: { error: errorOf(hop, refusal) } };
    if ((await leaseHop(hop)) !== undefined) return called;
    limits.hopsLeft--;
    hop = repeatHop(hop, attempt + 1, "retry");
  }
}

function mayGetHop({ hopsLeft, lease }: RunLimits): boolean {
  return hopsLeft >= 1 || lease !== undefined;
}

/** Waits before a retry. @returns Why the retry is not needed any more. */
async function pause(hop: Hop, delayMs: number) {
  let wake = () => {};
  const slept = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const timer = setTimeout(wake, delayMs);
  const waited = await waitFor(hop, slept, () => {
    clearTimeout(timer);
    wake();
  });
  return "refusal" in waited ? waited.refusal : whyClosed(hop);
}

/**
 * Calls once, and a second time in parallel when the first call is slow; the first answer wins. When one of the two
 * changes something outside, the other is stopped, and the response is that of the one that changed it.
 */
function callHedged(hop: Hop): Promise<Called> {
  const { hedgeAfterMs } = hop.registration?.policy ?? {};
  if (hedgeAfterMs === undefined) return callOnce(hop);
  return new Promise((resolve) => {
    let failed: Called | undefined;
    let second: Hop | undefined;
    let writer: Hop | undefined;
    const race: Race = {
      decide(decided) {
        if (writer !== undefined) return;
        writer = decided;
        clearTimeout(timer);
        const other = decided === hop ? second : hop;
        if (other !== undefined)
          stop(other, "The other call of the same work has changed something.");
      },
    };
    const ended = (called: Called) => {
      isOver = true;
      clearTimeout(timer);
      if (writer !== undefined) {
        if (called.hop === writer) resolve(called);
        return;
      }
      const other = called.hop === hop ? second : hop;
      const isLast = other === undefined || failed !== undefined;
      if (called.response.error !== undefined && called.response.answer === undefined && !isLast) {
        failed = called;
        return;
      }
      if (isSuccess(called.response)) {
        if (other !== undefined && failed === undefined) {
          stop(other, "Another call of the same work answered first.");
        }
        resolve(called);
      } else resolve(failed?.isRefused === false ? failed : called);
    };
    let isOver = false;
    const callSecond = async () => {
      const { limits } = hop.run;
      if (limits.hopsLeft < 1) limits.hopsLeft += (await limits.lease?.lease(1)) ?? 0;
      if (isOver || limits.hopsLeft < 1 || hasWritten(hop)) return;
      if (whyClosed(hop) !== undefined) return;
      limits.hopsLeft--;
      second = repeatHop(hop, hop.extras?.attempt ?? 1, "hedge");
      extrasOf(second).race = race;
      void callOnce(second).then(ended);
    };
    const timer = setTimeout(() => void callSecond(), hedgeAfterMs);
    extrasOf(hop).race = race;
    void callOnce(hop).then(ended);
  });
}

function isSuccess({ error, answer }: Response): boolean {
  return error === undefined || answer !== undefined;
}

/** Stops the slower of two calls, wherever it is. */
function stop(hop: Hop, why: string): void {
  const error = cancelled(why);
  const extras = extrasOf(hop);
  extras.closed = error; // it stops before its next step, and nothing starts below it
  if (extras.wait !== undefined) extras.wait.stop(error);
  else if (hop.resolve !== undefined) hop.stop(error);
}

/** A hop, with the response of its librarian or of one called in its place. */
export interface Called {
  /** The hop that the response is from: its delegates continue from there. */
  readonly hop: Hop;
  readonly response: Response;
  /** Its librarian was not called. */
  readonly isRefused: boolean;
}

/** Calls the librarian of a hop once, if its breaker and its limits let it. Never rejects. */
export async function callOnce(hop: Hop): Promise<Called> {
  const closed = hop.extras?.closed ?? whyClosed(hop);
  if (closed !== undefined) return notCalled(hop, closed);
  const { policy } = hop.registration ?? {};
  const breaker = policy?.breaker;
  const permit =
    breaker === undefined ? undefined : changing(hop, breaker, () => breaker.enter(now()));
  if (breaker !== undefined && permit === undefined) {
    return notCalled(hop, circuitOpen(hop.to, breaker.openUntil - now()));
  }
  if (needsSlot(hop)) {
    // By the time the grant is known here, the call may not be needed any more.
    const refusal = (await takeSlot(hop)) ?? hop.extras?.closed ?? whyClosed(hop);
    if (refusal !== undefined) {
      hop.extras?.slot?.close();
      if (permit !== undefined) breaker?.settle(permit, "cancelled", now());
      return notCalled(hop, refusal);
    }
  }
  hop.run.limits.hopsUsed++;
  const response = await invoke(hop, hop.startedAt);
  const outcome = outcomeForBreaker(response);
  if (breaker !== undefined && permit !== undefined) {
    changing(hop, breaker, () => breaker.settle(permit, outcome, now()));
  }
  if (policy?.adaptiveLimit !== undefined) {
    if (response.error?.code === "RATE_LIMITED")
      policy.adaptiveLimit.rateLimited(hop.startedAt, now());
    else if (outcome === "success" && policy.adaptiveLimit.succeeded())
      hop.run.mesh.slots.dispatch();
  }
  return { hop, response, isRefused: false };
}

async function notCalled(hop: Hop, refusal: MeshError): Promise<Called> {
  return { hop, response: await refused(hop, refusal), isRefused: true };
}

/** Reports a change of the state of a breaker. */
function changing<Result>(hop: Hop, breaker: CircuitBreaker, change: () => Result): Result {
  const { state } = breaker;
  const result = change();
  if (breaker.state !== state) {
    hop.run.mesh.registry.breakerChanged();
    hop.run.observer?.breakerChanged(hop, breaker.state);
  }
  return result;
}

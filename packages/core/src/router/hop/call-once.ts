import type { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import type { CircuitBreaker } from "../../resilience/circuit-breaker.js";
import { outcomeForBreaker } from "../../resilience/failure.js";
import { invoke } from "../run/calls.js";
import { now } from "../run/deadline-timer.js";
import { circuitOpen } from "../run/errors.js";
import { whyClosed } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { refused } from "./refused.js";
import { needsSlot, takeSlot } from "./take-slot.js";

/** A hop, with the response of its librarian or of one called in its place. */
export interface Called {
  /** The hop that the response is from: what it delegates continues from there. */
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
    // What was granted may not be wanted any more by the time it is known here.
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
  if (policy?.width !== undefined) {
    if (response.error?.code === "RATE_LIMITED") policy.width.rateLimited(hop.startedAt, now());
    else if (outcome === "success" && policy.width.succeeded()) hop.run.mesh.slots.dispatch();
  }
  return { hop, response, isRefused: false };
}

async function notCalled(hop: Hop, refusal: MeshError): Promise<Called> {
  return { hop, response: await refused(hop, refusal), isRefused: true };
}

/** Reports it where something changes the state of a breaker. */
function changing<Result>(hop: Hop, breaker: CircuitBreaker, change: () => Result): Result {
  const { state } = breaker;
  const result = change();
  if (breaker.state !== state) {
    hop.run.mesh.registry.breakerChanged();
    hop.run.observer?.breakerChanged(hop, breaker.state);
  }
  return result;
}

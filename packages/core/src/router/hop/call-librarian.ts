import { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { dataText } from "../../contract/unknown-value.js";
import { validateResponse } from "../../contract/validate-response.js";
import type { Registration } from "../../registry/registration.js";
import { callerEnded, invalidResponse } from "../run/errors.js";
import { errorOf, firstHop } from "../run/hop.js";
import { extrasOf } from "../run/hop-extras.js";
import { abortStopped, invoke } from "../run/invoke.js";
import type { Call, CallKind, Hop, RunState } from "../run/model.js";
import { withoutReturnedSecrets } from "../run/secrets.js";
import { contextOf } from "./context.js";

/** The first hop of a run. */
export function firstHopOf(run: RunState, to: string): Hop {
  return firstHop(librarianCall, run, to);
}

/**
 * Calls the librarian of a hop and turns whatever happens into a response.
 *
 * @param hop - One that `refuseHop` lets start.
 * @returns What the librarian returned, once it passes the check; otherwise a response whose
 *   `error.code` says why. Never rejects.
 */
export function callLibrarian(hop: Hop): Promise<Response> {
  const { registration, startedAt, endsBy } = hop;
  const { timeoutMs = Number.POSITIVE_INFINITY } = registration?.definition ?? {};
  hop.endsAt = Math.min(endsBy, startedAt + timeoutMs);
  return invoke(hop, startedAt);
}

const librarianCall: CallKind = {
  start(hop: Hop) {
    const { run, registration } = hop;
    if (registration === undefined) throw new TypeError("A hop without a librarian was started.");
    run.observer?.hopStarted(hop);
    const { replay } = hop.extras ?? {};
    if (replay !== undefined) return replay.response;
    if (registration.info.effects === "write") markWritten(hop);
    if (registration.isReady) return call(hop, registration);
    // What is over by the time the librarian has started is not called any more.
    return registration
      .start()
      .then(() => (hop.state === "pending" ? call(hop, registration) : undefined));
  },
  accept(hop: Hop, returned: unknown) {
    const checked = validateResponse(returned);
    if (checked.valid)
      return withoutReturnedSecrets(checked.response, hop.run.mesh.settings.secrets);
    const returnedText = hop.run.mesh.settings.debug ? dataText(returned) : undefined;
    return failure(hop, invalidResponse(hop.to, checked.problem, returnedText));
  },
  readThrown(hop: Hop, thrown: unknown) {
    return MeshError.from(thrown, hop.to);
  },
  fail: failure as (call: Call, error: MeshError) => Response, // every call of this kind is a hop
  ended(hop: Hop, response: Response, failed: MeshError | undefined) {
    hop.slot?.close();
    if (hop.run.shared !== undefined || hop.flight !== undefined) keepForOthers(hop, response);
    if (hop.hasAsked) hop.run.calls.stopBelow(hop, callerEnded(hop.to));
    hop.run.observer?.hopEnded(hop, response, failed);
  },
  isAwaited: ({ flight }: Hop) => flight?.isAwaited === true,
  settledLate(hop: Hop, response: Response) {
    hop.flight?.settle(response.error === undefined ? response : undefined);
    hop.run.observer?.hopSettledLate(hop);
  },
};

/** A call above one that changes something is not made again. */
function markWritten(hop: Hop): void {
  for (let above: Hop | undefined = hop; above !== undefined; above = above.parent) {
    extrasOf(above).hasWritten = true;
  }
}

/** Gives a response to those that wait for it, and keeps it for those to come in this run. */
function keepForOthers(hop: Hop, response: Response): void {
  if (hop.state === "stopped") {
    leaveToOthers(hop);
  } else if (hop.registration?.policy === undefined) {
    hop.response = response;
    hop.flight?.settle(response);
  }
}

/** A call was stopped: it continues while others wait for it. */
function leaveToOthers(hop: Hop): void {
  if (hop.flight?.isAwaited === true) hop.flight.continueFor(() => abortStopped(hop));
  else hop.flight?.settle(undefined);
}

function call(hop: Hop, { definition: { librarian } }: Registration): unknown {
  const { observer } = hop.run;
  if (observer === undefined) return librarian(hop.query, contextOf(hop));
  return observer.within(hop, () => librarian(hop.query, contextOf(hop)));
}

function failure(hop: Hop, error: MeshError): Response {
  return { error: errorOf(hop, error) };
}

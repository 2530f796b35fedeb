import { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { dataText } from "../../contract/unknown-value.js";
import { validateResponse } from "../../contract/validate-response.js";
import type { Registration } from "../../registry/registration.js";
import { callerEnded, invalidResponse } from "../run/errors.js";
import { errorOf } from "../run/hop-error.js";
import { extrasOf } from "../run/hop-extras.js";
import { abortStopped, invoke, start } from "../run/invoke.js";
import type { Call, CallKind, Hop } from "../run/model.js";
import { withoutReturnedSecrets } from "../run/secrets.js";
import { contextOf } from "./context.js";

/**
 * Calls the librarian of a hop and turns whatever happens into a response.
 *
 * @param hop - One that `refuseHop` lets start.
 * @returns What the librarian returned, once it passes the check; otherwise a response whose
 *   `error.code` says why. Never rejects.
 */
export function callLibrarian(hop: Hop): Promise<Response> {
  return invoke(hop, hop.startedAt);
}

/** As {@link callLibrarian}, for a caller that continues in the same turn. */
export function startLibrarian(hop: Hop, onEnd: (response: Response) => void): void {
  start(hop, hop.startedAt, onEnd);
}

/** How a librarian is called. */
export const librarianCall: CallKind = {
  start(hop: Hop) {
    const { run, registration } = hop;
    if (registration === undefined) throw new TypeError("A hop without a librarian was started.");
    run.observer?.hopStarted(hop);
    if (hop.extras?.replay !== undefined) return hop.extras.replay.response;
    if (registration.info.effects === "write") markWritten(hop);
    if (registration.isReady) return call(hop, registration);
    // What is over by the time the librarian has started is not called any more.
    return registration
      .start()
      .then(() => (hop.state === "pending" ? call(hop, registration) : undefined));
  },
  accept(hop: Hop, returned: unknown) {
    const { inputLimits, secrets, debug } = hop.run.mesh.settings;
    const checked = validateResponse(returned, inputLimits);
    if (checked.valid) return withoutReturnedSecrets(checked.response, secrets);
    const returnedText = debug ? dataText(returned) : undefined;
    return failure(hop, invalidResponse(hop.to, checked.problem, returnedText));
  },
  readThrown(hop: Hop, thrown: unknown) {
    return MeshError.from(thrown, hop.to);
  },
  fail: failure as (call: Call, error: MeshError) => Response, // every call of this kind is a hop
  ended(hop: Hop, response: Response, failed: MeshError | undefined) {
    const { extras } = hop;
    extras?.slot?.close();
    if (hop.run.shared !== undefined || extras?.flight !== undefined) keepForOthers(hop, response);
    if (extras?.hasAsked === true) hop.run.calls.stopBelow(hop, callerEnded(hop.to));
    hop.run.observer?.hopEnded(hop, response, failed);
  },
  isAwaited: ({ extras }: Hop) => extras?.flight?.isAwaited === true,
  settledLate(hop: Hop, response: Response | undefined) {
    hop.extras?.flight?.settle(response?.error === undefined ? response : undefined);
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
    hop.extras?.flight?.settle(response);
  }
}

/** A call was stopped: it continues while others wait for it. */
function leaveToOthers(hop: Hop): void {
  const flight = hop.extras?.flight;
  if (flight?.isAwaited === true) flight.continueFor(() => abortStopped(hop));
  else flight?.settle(undefined);
}

function call(hop: Hop, { definition: { librarian } }: Registration): unknown {
  const { observer } = hop.run;
  if (observer === undefined) return librarian(hop.query, contextOf(hop));
  return observer.within(hop, () => librarian(hop.query, contextOf(hop)));
}

function failure(hop: Hop, error: MeshError): Response {
  return { error: errorOf(hop, error) };
}

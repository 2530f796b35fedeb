import { MeshError } from "../../contract/mesh-error.js";
import type { Response } from "../../contract/response.js";
import { dataText } from "../../contract/unknown-value.js";
import { validateGiven } from "../../contract/validate-response.js";
import { abortStopped } from "../run/calls.js";
import {
  callerEnded,
  completeError,
  errorOf,
  invalidResponse,
  stillStarting,
} from "../run/errors.js";
import { isAwaited } from "../run/hop.js";
import type { Call, CallKind, Hop, StartFollow } from "../run/model.js";
import { withoutReturnedSecrets } from "../run/secrets.js";
import { createContextFactory } from "./context.js";
import { callAfter, recallHop, recordHop } from "./durable.js";
import { announceWrite, markWritten } from "./written.js";

/**
 * How the librarian of a hop is called: a value that passes the check is the response; anything else becomes a
 * response whose `error.code` says why.
 *
 * @param startFollow - Follows the queries that librarians make through their context.
 */
export function createLibrarianCall(startFollow: StartFollow): CallKind {
  const contextOf = createContextFactory(startFollow);
  const call = (hop: Hop): unknown => {
    const { registration, run } = hop;
    if (registration === undefined) throw new TypeError("A hop without a librarian was started.");
    const { librarian } = registration.definition;
    if (run.observer === undefined) return librarian(hop.query, contextOf(hop));
    return run.observer.within(hop, () => librarian(hop.query, contextOf(hop)));
  };
  return {
    start(hop: Hop) {
      const { observer, journal } = hop.run;
      const recorded = journal === undefined ? undefined : recallHop(hop);
      observer?.hopStarted(hop);
      if (hop.extras?.replay !== undefined) return hop.extras.replay.response;
      const { registration } = hop;
      if (registration === undefined) return call(hop);
      let announced: Promise<void> | undefined;
      if (registration.info.effects === "write") {
        markWritten(hop);
        announced = announceWrite(hop);
      }
      const { startTimeoutMs } = hop.run.mesh.settings;
      if (recorded !== undefined && "instead" in recorded) {
        return recorded.instead(hop.query, contextOf(hop));
      }
      if (recorded !== undefined) {
        return Promise.all([registration.start(startTimeoutMs), announced]).then(() =>
          callAfter(hop, recorded, () => call(hop)),
        );
      }
      if (registration.isReady && announced === undefined) return call(hop);
      // A hop that has ended while its librarian started is not called.
      return Promise.all([registration.start(startTimeoutMs), announced]).then(() =>
        hop.state === "pending" ? call(hop) : undefined,
      );
    },
    accept(hop: Hop, returned: unknown) {
      if (hop.extras?.waiting !== undefined) return failure(hop, hop.extras.waiting);
      const { inputLimits, secrets, debug } = hop.run.mesh.settings;
      const checked = validateGiven(returned, inputLimits, hop);
      if (checked.valid) {
        const response =
          secrets === undefined
            ? checked.response
            : withoutReturnedSecrets(checked.response, secrets);
        return response.error === undefined
          ? response
          : { ...response, error: completeError(hop, response.error) };
      }
      const returnedText = debug ? dataText(returned) : undefined;
      return failure(hop, invalidResponse(hop.to, checked.problem, returnedText));
    },
    readThrown(hop: Hop, thrown: unknown) {
      return hop.extras?.waiting ?? MeshError.from(thrown, hop.to);
    },
    fail: failure as (call: Call, error: MeshError) => Response, // every call of this kind is a hop
    ended(hop: Hop, response: Response, failed: MeshError | undefined) {
      const { extras, run, state } = hop;
      const continues = state === "stopped" && isAwaited(hop); // read once, because the time of the hop runs
      if (!continues && (extras !== undefined || run.calls.isOver)) releaseWork(hop);
      if (run.shared !== undefined || extras?.flight !== undefined)
        keepForOthers(hop, response, continues);
      if (run.journal !== undefined) recordHop(hop, run.journal, response, failed);
      run.observer?.hopEnded(hop, response, failed);
    },
    isAwaited,
    settledLate(hop: Hop, response: Response | undefined) {
      releaseWork(hop);
      hop.extras?.flight?.settle(response?.error === undefined ? response : undefined);
      hop.run.observer?.hopSettledLate(hop);
    },
  };
}

/** Passes a response to equal calls that wait for it, and keeps it for later ones of this run. */
function keepForOthers(hop: Hop, response: Response, continues: boolean): void {
  if (hop.state === "stopped") {
    leaveToOthers(hop, continues);
  } else if (hop.registration?.policy === undefined) {
    hop.response = response;
    hop.extras?.flight?.settle(response);
  }
}

/** A call was stopped: it continues while others wait for it. */
function leaveToOthers(hop: Hop, continues: boolean): void {
  const flight = hop.extras?.flight;
  if (!continues) flight?.settle(undefined);
  else {
    flight?.continueFor(() => {
      if (hop.state !== "stopped") return; // it has ended itself
      releaseWork(hop);
      abortStopped(hop);
    });
  }
}

/** The work of a hop has ended: releases its slot and stops what it asked. */
function releaseWork(hop: Hop): void {
  const { extras, run } = hop;
  extras?.slot?.close();
  if (extras?.hasAsked === true) run.calls.stopBelow(hop, callerEnded(hop.to));
  if (run.calls.isOver) run.calls.release();
}

function failure(hop: Hop, error: MeshError): Response {
  const isStarting = error.reason === "deadline" && hop.registration?.isReady === false;
  return { error: errorOf(hop, isStarting ? stillStarting(hop.to) : error) };
}

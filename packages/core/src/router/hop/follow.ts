import type { Response } from "../../contract/response.js";
import { describeThrown } from "../../contract/unknown-value.js";
import { delegatesOf } from "../../contract/validate-response.js";
import { fanOut } from "../fan-out/fan-out.js";
import { startCall } from "../run/calls.js";
import { errorOf, routerFailed } from "../run/errors.js";
import { nextHop } from "../run/hop.js";
import type { Done, Hop } from "../run/model.js";
import { callGuarded, isFirst } from "./call-guarded.js";
import { createLibrarianCall } from "./call-librarian.js";
import { refuseHop } from "./guard.js";
import { leaseHop } from "./lease-hop.js";
import { refused } from "./refused.js";

/** How a librarian is called: the queries that it makes through its context come back here. */
export const librarianCall = createLibrarianCall(startFollow);

/**
 * Takes a query from one librarian to the next until one answers: the path of every query. Callbacks,
 * because a promise a hop is a third of what a hop costs.
 *
 * @param hop - The librarian to ask now.
 * @param done - Called once, with the final response, in the same turn of the event loop. It never carries a
 *   delegate. Never throws.
 */
export function startFollow(hop: Hop, done: Done): void {
  try {
    const refusal = refuseHop(hop); // loops, depth, rights, hops, unknown ids, time
    if (refusal !== undefined) {
      done(refused(hop, refusal));
      return;
    }
    const { registration, run } = hop;
    const { limits, mesh, shared } = run;
    if (limits.hopsLeft < 1) {
      void leaseHop(hop).then((noHop) => {
        if (noHop === undefined) startFollow(hop, done);
        else done(refused(hop, noHop));
      });
      return;
    }
    limits.hopsLeft--; // reserved before it starts
    const isLimited =
      registration?.limit !== undefined || mesh.settings.concurrency !== Number.POSITIVE_INFINITY;
    const isPlain = registration?.policy === undefined && !isLimited;
    if (isPlain && (shared === undefined || isFirst(hop))) {
      limits.hopsUsed++;
      // The response of its librarian, or its deadline, or a cancel.
      startCall(hop, hop.startedAt, (response) => {
        if (response.delegate === undefined) done(response);
        else proceed(hop, response, done);
      });
    } else {
      callGuarded(hop).then(
        (called) => proceed(called.hop, called.response, done), // slots, retries, equal calls, fallbacks
        (thrown: unknown) => done(failed(hop, thrown)),
      );
    }
  } catch (thrown) {
    done(failed(hop, thrown));
  }
}

/** Continues with the delegates of a response, if it has any. */
function proceed(hop: Hop, response: Response, done: Done): void {
  try {
    const delegates = delegatesOf(response); // none beside an error
    const [next] = delegates;
    if (next === undefined) {
      done(response);
    } else if (delegates.length > 1 || response.answer !== undefined) {
      // Each of them comes back here. An answer of its own takes part in the merge, with its metadata.
      const { answer, metadata } = response;
      const kept = answer === undefined ? withMetadata(metadata, done) : done;
      const closed = afterDelegates(hop, kept);
      fanOut(hop, response, delegates, startFollow).then(closed, (thrown: unknown) =>
        closed(failed(hop, thrown)),
      );
    } else {
      startFollow(nextHop(hop, next), afterDelegates(hop, withMetadata(response.metadata, done)));
    }
  } catch (thrown) {
    done(failed(hop, thrown));
  }
}

/** Keeps the metadata of a librarian that delegates, such as why it chose its delegate: keys of the delegate win. */
function withMetadata(metadata: Response["metadata"], done: Done): Done {
  if (metadata === undefined) return done;
  return (response) => {
    if (response instanceof Promise) done(response.then((settled) => addBelow(settled, metadata)));
    else done(addBelow(response, metadata));
  };
}

function addBelow(response: Response, metadata: NonNullable<Response["metadata"]>): Response {
  return { ...response, metadata: { ...metadata, ...response.metadata } };
}

/** The same `done`, which first reports to the observer that the delegates of the hop have responded. */
function afterDelegates(hop: Hop, done: Done): Done {
  const { observer } = hop.run;
  if (observer === undefined) return done;
  return (response) => {
    if (response instanceof Promise) void response.then(() => observer.delegationEnded(hop));
    else observer.delegationEnded(hop);
    done(response);
  };
}

/** A fault of the router, since failures of librarians are responses: it must not lose the query either. */
function failed(hop: Hop, thrown: unknown): Response {
  process.emitWarning(`The router failed (${describeThrown(thrown)}).`, {
    type: "ConstellationWarning",
  });
  return { error: errorOf(hop, routerFailed(thrown)) };
}

import { delegatesOf } from "../../contract/delegates-of.js";
import type { Response } from "../../contract/response.js";
import { describeThrown } from "../../contract/unknown-value.js";
import { fanOut } from "../fan-out/fan-out.js";
import { routerFailed } from "../run/errors.js";
import { nextHop } from "../run/hop.js";
import { errorOf } from "../run/hop-error.js";
import type { Done, Hop } from "../run/model.js";
import { callGuarded, isPlain } from "./call-guarded.js";
import { startLibrarian } from "./call-librarian.js";
import { refuseHop } from "./guard.js";
import { refused } from "./refused.js";

/**
 * Takes a query from one librarian to the next until one answers: the path of every query.
 *
 * @param first - The librarian to ask now.
 * @returns The final response. It never carries a delegate. Never rejects.
 */
export function follow(first: Hop): Promise<Response> {
  return new Promise((resolve) => startFollow(first, resolve));
}

/**
 * As {@link follow}, for a caller that continues in the turn in which the response comes. Callbacks,
 * because a promise a hop is a third of what a hop costs.
 *
 * @param done - Called once. Never throws.
 */
export function startFollow(hop: Hop, done: Done): void {
  try {
    const refusal = refuseHop(hop); // loops, depth, rights, hops, unknown ids, time
    if (refusal !== undefined) {
      done(refused(hop, refusal));
      return;
    }
    const { limits } = hop.run;
    limits.hopsLeft--; // reserved before it starts
    if (isPlain(hop)) {
      limits.hopsUsed++;
      startLibrarian(hop, (response) => proceed(hop, response, done)); // or its deadline, or a cancel
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
      // Each of them comes back here.
      const closed = afterDelegates(hop, done);
      fanOut(hop, response, delegates).then(closed, (thrown: unknown) =>
        closed(failed(hop, thrown)),
      );
    } else {
      startFollow(nextHop(hop, next), afterDelegates(hop, done));
    }
  } catch (thrown) {
    done(failed(hop, thrown));
  }
}

/** The same end, reported to the observer first: the delegates of the hop have responded. */
function afterDelegates(hop: Hop, done: Done): Done {
  const { observer } = hop.run;
  if (observer === undefined) return done;
  const ended = () => observer.delegationEnded(hop);
  return (response) => {
    if (response instanceof Promise) response.then(ended, ended);
    else ended();
    done(response);
  };
}

/** A fault of ours: what librarians do comes back as a response. Still, no query is lost to it. */
function failed(hop: Hop, thrown: unknown): Response {
  process.emitWarning(`The router failed (${describeThrown(thrown)}).`, {
    type: "ConstellationWarning",
  });
  return { error: errorOf(hop, routerFailed(thrown)) };
}

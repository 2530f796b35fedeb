import { delegatesOf } from "../../contract/delegates-of.js";
import type { Response } from "../../contract/response.js";
import { describeThrown } from "../../contract/unknown-value.js";
import { fanOut } from "../fan-out/fan-out.js";
import { routerFailed } from "../run/errors.js";
import { errorOf, nextHop } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { callGuarded, isPlain } from "./call-guarded.js";
import { callLibrarian } from "./call-librarian.js";
import { refuseHop } from "./guard.js";
import { refused } from "./refused.js";

/**
 * Takes a query from one librarian to the next until one answers: the path of every query.
 *
 * @param first - The librarian to ask now.
 * @returns The final response. It never carries a delegate. Never rejects.
 */
export async function follow(first: Hop): Promise<Response> {
  let hop = first;
  try {
    for (;;) {
      const refusal = refuseHop(hop); // loops, depth, rights, hops, unknown ids, time
      if (refusal !== undefined) return refused(hop, refusal);

      hop.run.limits.hopsLeft--; // reserved before it starts
      let response: Response;
      if (isPlain(hop)) {
        hop.run.limits.hopsUsed++;
        response = await callLibrarian(hop); // or its deadline, or a cancel
      } else {
        ({ hop, response } = await callGuarded(hop)); // slots, retries, equal calls, fallbacks
      }

      const delegates = delegatesOf(response); // none beside an error
      const [next] = delegates;
      if (next === undefined) return response;
      if (delegates.length > 1 || response.answer !== undefined) {
        return await fanOut(hop, response, delegates); // each of them comes back here
      }
      hop = nextHop(hop, next);
    }
  } catch (thrown) {
    return failed(hop, thrown);
  }
}

/** A fault of ours: what librarians do comes back as a response. Still, no query is lost to it. */
function failed(hop: Hop, thrown: unknown): Response {
  process.emitWarning(`The router failed (${describeThrown(thrown)}).`, {
    type: "ConstellationWarning",
  });
  return { error: errorOf(hop, routerFailed(thrown)) };
}

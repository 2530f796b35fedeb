import { MeshError } from "../../contract/mesh-error.js";
import { now } from "./deadline-timer.js";
import { deadlinePassed } from "./errors.js";
import { extrasOf, whyClosed } from "./hop.js";
import type { Hop, Stoppable } from "./model.js";

/** The end of a wait: what was waited for, or why the hop may not start. */
export type Waited<Outcome> = { readonly outcome: Outcome } | { readonly refusal: MeshError };

/**
 * Waits for something before the librarian of a hop is called. The wait ends with the hop's time, and
 * when the hop is not needed any more.
 *
 * @param leave - The hop does not wait any more.
 * @returns Never rejects.
 */
export function waitFor<Outcome>(
  hop: Hop,
  outcome: Promise<Outcome>,
  leave: () => void,
): Promise<Waited<Outcome>> {
  const closed = hop.extras?.closed ?? whyClosed(hop);
  if (closed !== undefined) {
    leave(); // a wait that begins after its run has ended would never end
    return Promise.resolve({ refusal: closed });
  }
  const { calls } = hop.run;
  const extras = extrasOf(hop);
  return new Promise((resolve) => {
    const end = (waited: Waited<Outcome>) => {
      calls.remove(wait);
      extras.wait = undefined;
      resolve(waited);
    };
    const wait: Stoppable = {
      parent: hop.parent,
      endsAt: hop.endsBy,
      follower: hop,
      previous: undefined,
      next: undefined,
      stop(error) {
        end({ refusal: error });
        leave();
      },
    };
    extras.wait = wait;
    calls.add(wait, now());
    outcome.then(
      (came) => {
        if (extras.wait !== wait) return; // the wait was stopped
        if (now() >= wait.endsAt) wait.stop(deadlinePassed());
        else end({ outcome: came });
      },
      (thrown: unknown) => {
        if (extras.wait === wait) wait.stop(MeshError.from(thrown, hop.to));
      },
    );
  });
}

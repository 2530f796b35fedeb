import type { Response } from "../../contract/response.js";
import { callRetried } from "../../resilience/retry.js";
import { now } from "../run/deadline-timer.js";
import { cancelled } from "../run/errors.js";
import { hopAgain } from "../run/hop.js";
import { errorOf } from "../run/hop-error.js";
import { extrasOf } from "../run/hop-extras.js";
import { whyClosed } from "../run/hop-path.js";
import { stopCall } from "../run/invoke.js";
import type { Hop } from "../run/model.js";
import { waitFor } from "../run/wait.js";
import { type Called, callOnce } from "./call-once.js";

/**
 * Calls the librarian of a hop, and again as its `retry` and `hedge` allow.
 *
 * @returns The first response without an error that may pass, or the last response. Never rejects.
 */
export function callWithRetries(first: Hop): Promise<Called> {
  const { retry } = first.registration?.policy ?? {};
  if (retry === undefined) return callHedged(first);
  const { limits } = first.run;
  let hop = first;
  return callRetried(retry, {
    call(attempt) {
      if (attempt > 1) {
        limits.hopsLeft--;
        hop = hopAgain(hop, attempt, "retry");
      }
      return callHedged(hop);
    },
    responseOf: ({ response }) => response,
    mayRepeat: ({ hop: called, isRefused }) => !isRefused && called.extras?.hasWritten !== true,
    async wait(called, delayMs) {
      if (limits.hopsLeft < 1 || now() + delayMs >= hop.endsBy) return called;
      const refusal = await pause(hop, delayMs);
      if (refusal !== undefined) return { ...called, response: { error: errorOf(hop, refusal) } };
      return limits.hopsLeft < 1 ? called : undefined;
    },
  });
}

/** Waits before a retry. @returns Why the retry is not wanted any more. */
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

/** Calls once; when that takes long a second time, and takes the first answer. */
function callHedged(hop: Hop): Promise<Called> {
  const { hedgeAfterMs } = hop.registration?.policy ?? {};
  if (hedgeAfterMs === undefined) return callOnce(hop);
  return new Promise((resolve) => {
    let failed: Called | undefined;
    let second: Hop | undefined;
    const ended = (called: Called) => {
      clearTimeout(timer);
      const other = called.hop === hop ? second : hop;
      const isLast = other === undefined || failed !== undefined;
      if (called.response.error !== undefined && called.response.answer === undefined && !isLast) {
        failed = called;
        return;
      }
      if (isSuccess(called.response)) {
        if (other !== undefined && failed === undefined) stop(other);
        resolve(called);
      } else resolve(failed?.isRefused === false ? failed : called);
    };
    const timer = setTimeout(() => {
      const { limits } = hop.run;
      if (limits.hopsLeft < 1 || hop.extras?.hasWritten === true) return;
      if (whyClosed(hop) !== undefined) return;
      limits.hopsLeft--;
      second = hopAgain(hop, hop.extras?.attempt ?? 1, "hedge");
      void callOnce(second).then(ended);
    }, hedgeAfterMs);
    void callOnce(hop).then(ended);
  });
}

function isSuccess({ error, answer }: Response): boolean {
  return error === undefined || answer !== undefined;
}

/** Stops the slower of two calls, wherever it is. */
function stop(hop: Hop): void {
  const error = cancelled("Another call of the same work answered first.");
  const call = hop.extras?.wait ?? hop;
  if (call.resolve === undefined)
    extrasOf(hop).closed = error; // between two steps: it goes no further
  else stopCall(call, error);
}

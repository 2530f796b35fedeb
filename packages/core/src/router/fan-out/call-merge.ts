import type { ErrorInfo } from "../../contract/error-code.js";
import { MeshError } from "../../contract/mesh-error.js";
import type { Branch, MergeFunction, Response } from "../../contract/response.js";
import { validateGiven } from "../../contract/validate-response.js";
import { invoke, signalOf, stopCall } from "../run/calls.js";
import { now } from "../run/deadline-timer.js";
import { errorOf, invalidMerge, mergeThrew } from "../run/errors.js";
import { whyClosed } from "../run/hop.js";
import type { Call, CallKind, Hop } from "../run/model.js";
import { modelFor } from "../run/within-budget.js";
import type { CustomMerge } from "./strategy.js";

/** A call of a merge function, under the deadline of the hop that delegated. */
interface MergeCall extends Call {
  readonly parent: Hop;
  readonly merge: MergeFunction;
  readonly branches: readonly Branch[];
  /** It has reported a piece of the answer, and not withdrawn it. */
  hasText: boolean;
}

/**
 * Calls a merge function. When it returns no answer, that is reported as progress, and text that it reported is
 * withdrawn.
 *
 * @returns Its response, or one with the error. Never rejects.
 */
export async function callMerge(
  hop: Hop,
  branches: readonly Branch[],
  { merge, limit }: CustomMerge,
): Promise<Response> {
  // Reserves time after it, so that its caller can continue with the answers so far.
  const current = now();
  const reserve = Math.min(20, Math.max(0, (hop.endsBy - current) / 10));
  const endsBy = hop.endsBy - reserve;
  const call: MergeCall = {
    kind: mergeCall,
    run: hop.run,
    parent: hop,
    merge,
    branches,
    hasText: false,
    endsAt: Math.min(endsBy, current + limit(endsBy - current)),
    state: "pending",
    stoppedBy: undefined,
    controller: undefined,
    resolve: undefined,
    previous: undefined,
    next: undefined,
    stop(error) {
      stopCall(this, error);
    },
  };
  const response = await invoke(call, current);
  if (response.answer === undefined && response.error !== undefined)
    reportFailure(call, response.error);
  return response;
}

function reportFailure({ parent, hasText }: MergeCall, { message }: ErrorInfo): void {
  const { observer } = parent.run;
  if (observer === undefined || whyClosed(parent) !== undefined) return;
  if (hasText) observer.progressed(parent, { text: "", replaces: true });
  observer.progressed(parent, `the answers are joined as they are: ${message}`);
}

const mergeCall: CallKind = {
  start(call: MergeCall) {
    const { parent, merge, branches } = call;
    return merge(branches, {
      query: parent.query,
      signal: signalOf(call),
      remainingMs: () => Math.max(0, call.endsAt - now()),
      ai: modelFor(parent, call),
      report(progress) {
        if (call.state !== "pending") return;
        call.run.observer?.progressed(parent, progress);
        if (typeof progress === "string" || !("text" in progress)) return;
        call.hasText = progress.text !== "" || (call.hasText && progress.replaces !== true);
      },
    });
  },
  accept(call: MergeCall, returned: unknown) {
    const { dataScope, mesh } = call.run;
    const giver = { dataScope, observe: () => undefined };
    const checked = validateGiven(returned, mesh.settings.inputLimits, giver);
    if (checked.valid && checked.response.delegate === undefined) return checked.response;
    const problem = checked.valid ? "delegate: a merge cannot delegate" : checked.problem;
    return failure(call, invalidMerge(problem));
  },
  readThrown({ parent }: MergeCall, thrown: unknown) {
    const read = MeshError.from(thrown, parent.to);
    return read.reason === "threw" ? mergeThrew(thrown) : read;
  },
  fail: failure as CallKind["fail"], // every call of this kind is a MergeCall
  ended() {},
  isAwaited: () => false,
  settledLate() {},
};

function failure({ parent }: MergeCall, error: MeshError): Response {
  return { error: errorOf(parent, error) };
}

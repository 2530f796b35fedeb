import { modelFailureLine } from "@constellation/authoring";
import type { ModelCallRecord, RunRecord } from "@constellation/core";
import { sanitizeLine } from "./sanitize-line.js";

/** Maximum number of hops that are named. */
const maxGaps = 5;

/** Hops that answered although their last call of a model failed, each with the reason. */
export function modelGaps({ hops }: RunRecord): readonly string[] {
  const gaps = hops.flatMap(({ to, outcome, modelCalls }) => {
    const error = lastCall(modelCalls)?.error;
    if (error === undefined || (outcome !== "answer" && outcome !== "partial")) return [];
    return `${sanitizeLine(to, 64)}: ${modelFailureLine(error)}`;
  });
  const rest = gaps.length - maxGaps;
  return rest > 0 ? [...gaps.slice(0, maxGaps), `and ${rest} more`] : gaps;
}

function lastCall(calls: readonly ModelCallRecord[] = []): ModelCallRecord | undefined {
  return calls.at(-1);
}

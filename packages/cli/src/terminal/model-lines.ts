import type { MeshEvent, ModelCallRecord, RunRecord } from "@constellation/core";
import { sanitizeLine } from "./sanitize-line.js";

type ModelEvent = Extract<MeshEvent, { type: "model:start" | "model:end" }>;

/** What happens with a model, as a line of progress. `undefined` where it replied. */
export function modelLine(event: ModelEvent): string | undefined {
  if (event.type === "model:start") {
    const name = event.model === undefined ? "" : ` (${sanitizeLine(event.model, 64)})`;
    return `asking the model${name}`;
  }
  const { error } = event;
  return error === undefined ? undefined : `no use of the model: ${reasonOf(error)}`;
}

/** Maximum number of hops that are named. */
const maxGaps = 5;

/** Hops that answered although their last call of a model failed, each with the reason. */
export function modelGaps({ hops }: RunRecord): readonly string[] {
  const gaps = hops.flatMap(({ to, outcome, modelCalls }) => {
    const error = lastCall(modelCalls)?.error;
    if (error === undefined || (outcome !== "answer" && outcome !== "partial")) return [];
    return `${sanitizeLine(to, 64)}: ${reasonOf(error)}`;
  });
  const rest = gaps.length - maxGaps;
  return rest > 0 ? [...gaps.slice(0, maxGaps), `and ${rest} more`] : gaps;
}

function lastCall(calls: readonly ModelCallRecord[] = []): ModelCallRecord | undefined {
  return calls.at(-1);
}

/** The message, and what is wrong in detail: a field of the schema, the words of the service. */
function reasonOf(error: {
  readonly code: string;
  readonly message: string;
  readonly problem?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}): string {
  const { code, message, problem = error.details?.problem } = error;
  const detail = typeof problem === "string" && problem !== "" ? ` (${problem})` : "";
  return `${sanitizeLine(`${message}${detail}`, 300)} [${code}]`;
}

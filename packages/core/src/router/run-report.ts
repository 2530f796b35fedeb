import type { Attributes } from "@opentelemetry/api";
import type { Response } from "../contract/response.js";
import { stopReasonOf } from "../events/events.js";
import { attributes } from "../tracing/attributes.js";
import { contextOfTrace, messageOf, openSpan, recordFailure } from "../tracing/spans.js";
import { now } from "./alarm.js";
import type { RunState } from "./run-state.js";

/** A run begins: it opens the span that everything else of it hangs below. */
export function reportRunStart(run: RunState, to: string): void {
  if (run.isObserved) {
    const { id: runId, query, timeoutMs } = run;
    run.emit({ type: "run:start", runId, at: Date.now(), to, query, timeoutMs });
  }
  if (run.tracer !== undefined) {
    const { name, recordContent } = run.settings;
    const values: Attributes = {
      [attributes.operationName]: "invoke_workflow",
      [attributes.workflowName]: name,
      [attributes.runId]: run.id,
    };
    if (recordContent) values[attributes.inputMessages] = messageOf("user", run.query);
    const parent = contextOfTrace(run.callerTrace);
    run.span = openSpan(run.tracer, `invoke_workflow ${name}`, values, parent);
  }
}

/** A run has its response. */
export function reportRunEnd(run: RunState, response: Response): void {
  const stopReason = stopReasonOf(response);
  if (run.isObserved) {
    const durationMs = now() - run.startedAt;
    const { id: runId, unsettled } = run;
    run.emit({
      type: "run:end",
      runId,
      at: Date.now(),
      durationMs,
      response,
      stopReason,
      unsettled,
    });
  }
  const { span } = run.span ?? {};
  if (span !== undefined) {
    span.setAttribute(attributes.stopReason, stopReason);
    const missing = countOf(response.metadata?.missing);
    if (missing !== undefined) span.setAttribute(attributes.missingCount, missing);
    if (run.settings.recordContent && response.answer !== undefined) {
      span.setAttribute(attributes.outputMessages, messageOf("assistant", response.answer));
    }
    if (response.error !== undefined && response.answer === undefined) {
      recordFailure(span, response.error, run.settings.recordContent);
    }
    span.end();
  }
}

/** Length of what should be an array: a librarian may have written it. */
function countOf(missing: unknown): number | undefined {
  try {
    return Array.isArray(missing) ? missing.length : undefined;
  } catch {
    return undefined; // a revoked proxy
  }
}

import type { Context } from "@constellation/core";
import type { Span } from "@opentelemetry/api";
import type { ModelStep } from "./model/select-with-model.js";
import type { ReplyIssue } from "./reply/selection.js";

/** A reply of a model that is not valid. */
export interface InvalidReply {
  readonly step: ModelStep;
  readonly issues: readonly ReplyIssue[];
  /** From 1. */
  readonly attempt: number;
}

/** Maximum number of issues that are reported. */
const maxIssues = 50;

/** Reports a reply that is not valid: one event of the span and one line of progress, with all that is wrong and no text of the reply. */
export function reportInvalid(
  span: Span,
  context: Context,
  { step, issues, attempt }: InvalidReply,
): void {
  const shown = issues
    .slice(0, maxIssues)
    .map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  span.addEvent("librarian.workflow.invalid_reply", {
    "librarian.workflow.step": step,
    "librarian.attempt": attempt,
    "librarian.workflow.issues": shown,
  });
  context.report?.({
    message:
      `The model's reply is not valid (${step}, attempt ${attempt}): ${shown.join("; ")}`.slice(
        0,
        4_000,
      ),
  });
}

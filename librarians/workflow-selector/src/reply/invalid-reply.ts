import { MeshError } from "@constellation/core";
import { redact } from "./redact.js";
import type { ReplyIssue } from "./selection.js";

/** Most characters of a reply that an error shows. */
const mostShown = 4_000;
/** Most issues that an error lists. */
const mostIssues = 100;

/** The error for a reply that is not valid: all issues, and the reply itself, redacted and capped, in `details`. */
export function invalidReply(reply: string, issues: readonly ReplyIssue[]): MeshError {
  const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  return new MeshError(
    "INTERNAL_ERROR",
    `The model's reply is not valid: ${count}. Nothing is selected.`,
    {
      reason: "invalid-response",
      details: {
        issues: issues.slice(0, mostIssues).map(({ path, message }) => ({ path, message })),
        llmResponse: redact(reply, mostShown),
      },
    },
  );
}

import { redactSecrets } from "@constellation/authoring";
import { MeshError } from "@constellation/core";
import type { ReplyIssue } from "./selection.js";

/** Maximum number of characters of a reply that an error shows. */
const maxShown = 4_000;
/** Maximum number of issues that an error lists. */
const maxIssues = 100;

/** The error for a reply that is not valid: all issues, and the reply itself, redacted and capped, in `details`. */
export function invalidReply(reply: string, issues: readonly ReplyIssue[]): MeshError {
  const count = issues.length === 1 ? "1 problem" : `${issues.length} problems`;
  return new MeshError(
    "INTERNAL_ERROR",
    `The model's reply is not valid: ${count}. Nothing is selected.`,
    {
      reason: "invalid-response",
      details: {
        issues: issues.slice(0, maxIssues).map(({ path, message }) => ({ path, message })),
        llmResponse: redactSecrets(reply, { maxLength: maxShown }),
      },
    },
  );
}

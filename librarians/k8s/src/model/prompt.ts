import { promptFence, promptFenceNotice, wholeLines } from "@constellation/authoring";
import type { Evidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";

/** Instructions; the same for every question, so that they can be cached. */
export const system = `You summarize in plain words what was found in a Kubernetes cluster.

You are given a question, findings and pieces of evidence, each with an id. ${promptFenceNotice}

Rules:
- summary: at most five sentences, in Markdown without HTML. Name the cause first, then its symptoms.
  State only what the evidence shows. Give no advice except what to check next.
- signalTypes: only types that are listed in the findings, the cause first.
- citations: only ids of evidence you were given, copied exactly; at least one.`;

/** Puts question, findings and evidence between fences that nothing in them can close. */
export function createPrompt({
  question,
  findings,
  evidence,
}: {
  readonly question: string;
  readonly findings: readonly Finding[];
  readonly evidence: readonly Evidence[];
}): string {
  const listed = findings
    .map(
      (one) =>
        `- ${one.signal} (${one.severity}) on ${toObjectId(one.object)}: ${quote(one.summary)}`,
    )
    .join("\n");
  const shown = evidence.map(({ id, text }) => `[${id}] ${quote(text)}`).join("\n");
  const parts = [
    { name: "question", text: question.slice(0, 4_000) },
    { name: "findings", text: wholeLines(listed, 8_000) },
    { name: "evidence", text: wholeLines(shown, 16_000) },
  ];
  return promptFence(parts);
}

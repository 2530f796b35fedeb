import type { Source } from "@constellation/core";
import type { RankedWorkflow } from "../search/search-workflow-catalog.js";
import type { Proposal } from "./propose.js";

/** A proposal for people, in Markdown. */
export function answerOf({ selection, approval, open }: Proposal): string {
  const [selected, ...alternatives] = selection.strategies;
  if (selected === undefined) {
    return [selection.analysis_summary, "No workflow is proposed.", list(selection.warnings)]
      .join("\n\n")
      .trim();
  }
  const { workflow_id, version, estimated_risk, rationale, parameters } = selected;
  const values = Object.entries(parameters).map(
    ([name, value]) => `\`${name}\`: \`${JSON.stringify(value)}\``,
  );
  const isAsked = approval.humanReview || approval.approvalRequired;
  const reasons = approval.reasons.join("; ");
  const before = approval.humanReview ? "a person must look at it" : "it needs approval";
  return [
    `**${workflow_id} ${version}** is proposed. Nothing was run.`,
    selection.analysis_summary,
    rationale,
    selection.root_cause_assessment,
    `Risk: ${estimated_risk}. ${isAsked ? `Before it runs, ${before}: ${reasons}.` : "It needs no approval."}`,
    values.length === 0 ? "" : `Parameters:\n\n${list(values)}`,
    open.length === 0 ? "" : `Still open: ${open.map((name) => `\`${name}\``).join(", ")}.`,
    alternatives.length === 0
      ? ""
      : `Alternatives: ${alternatives.map((one) => `${one.workflow_id} ${one.version} (${one.confidence.toFixed(2)})`).join(", ")}.`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The catalog's entries that the proposal names. */
export function sourcesOf(ranked: readonly RankedWorkflow[]): readonly Source[] {
  return ranked.slice(0, 4).map(({ workflow, confidence }) => ({
    name: `${workflow.id}@${workflow.version}`,
    type: "workflow",
    relevance: confidence,
  }));
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

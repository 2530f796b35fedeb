import { truncateText } from "@constellation/authoring";
import type { Source } from "@constellation/core";
import { asLine, harmless, identifier, quoted } from "../incident/untrusted.js";
import type { Strategy } from "../reply/selection.js";
import type { RankedWorkflow } from "../search/search-workflow-catalog.js";
import type { ModelReport } from "./decide.js";
import { confidenceText, type Proposal, roundedDown } from "./propose.js";

/** A proposal for people, in Markdown: five lines that say it, then what is behind them. `record`: what came of the workflow before; `documents`: what there is to read. */
export function writeAnswer(
  { selection, approval, open }: Proposal,
  model?: ModelReport,
  record = "",
  documents: readonly Source[] = [],
): string {
  const [selected, ...alternatives] = selection.strategies;
  const note = noteOn(model);
  const assessment = distinct([selection.analysis_summary, selection.root_cause_assessment]);
  if (selected === undefined) {
    return paragraphs([
      ...(selection.rca_severity === undefined ? assessment.slice(0, 1) : assessment),
      "No workflow is proposed.",
      list(selection.warnings.map(harmless)),
      note,
    ]);
  }
  const { estimated_risk, rationale, parameters } = selected;
  const values = Object.entries(parameters).map(
    ([name, value]) => `${quoted(name)}: ${quoted(JSON.stringify(value), 2_000)}`,
  );
  const [summary = "", ...causes] = assessment;
  const details = [summary, harmless(rationale)].filter((text) => onOneLine(text) !== text);
  return paragraphs([
    // At most five lines: what, on what, why, at what risk, with which parameters.
    [
      `**${formatName(selected)}** is proposed. Nothing was run.`,
      ...[
        onOneLine(summary),
        onOneLine(harmless(rationale)),
        riskOf(estimated_risk, approval),
        [
          values.length === 0 ? "" : `Parameters: ${values.join(", ")}.`,
          open.length === 0 ? "" : `Still open: ${open.map((name) => quoted(name)).join(", ")}.`,
        ]
          .filter((text) => text !== "")
          .join(" "),
      ]
        .filter((text) => text !== "")
        .map((text) => `- ${text}`),
    ].join("\n"),
    ...details,
    ...causes,
    record,
    documents.length === 0
      ? ""
      : `See also: ${documents.map(({ name }) => quoted(name)).join(", ")}.`,
    alternatives.length === 0
      ? ""
      : `Alternatives: ${alternatives.map((one) => `${formatName(one)} (${confidenceText(one.confidence)})`).join(", ")}.`,
    note,
  ]);
}

/** A proposal in one line: what is proposed, at what risk, and whether it waits for a person. */
export function writeHeadline({ selection, approval }: Proposal): string {
  const [selected] = selection.strategies;
  return selected === undefined
    ? "No workflow is proposed."
    : `**${formatName(selected)}** is proposed. ${riskOf(selected.estimated_risk, approval)}`;
}

function riskOf(risk: string, { humanReview, approvalRequired, reasons }: Proposal["approval"]) {
  const before = humanReview ? "a person must look at it" : "it needs approval";
  const needs = `Before it runs, ${before}: ${harmless(reasons.join("; "))}.`;
  return `Risk: ${risk}. ${humanReview || approvalRequired ? needs : "It needs no approval."}`;
}

/** Maximum number of characters of a text of the first lines; what is longer follows whole below them. */
const maxLineLength = 300;

function onOneLine(text: string): string {
  return truncateText(text.replace(/\s+/g, " ").trim(), maxLineLength);
}

function formatName({ workflow_id, version }: Strategy): string {
  return `${identifier(workflow_id)} ${identifier(version)}`;
}

/** The catalog's entries that the proposal names. */
export function toSources(entries: readonly RankedWorkflow[]): readonly Source[] {
  return entries.map(({ workflow, confidence }) => ({
    name: asLine(`${workflow.id}@${workflow.version}`),
    type: "workflow",
    relevance: roundedDown(confidence),
  }));
}

function noteOn(model: ModelReport | undefined): string {
  if (model?.reason === undefined) return "";
  return model.outcome === "analysis-only"
    ? `The model gave the root cause and no selection (${model.reason}): the workflow was chosen by rules.`
    : `The model was not used (${model.reason}): this rests on rules alone.`;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].map(harmless);
}

function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join("\n");
}

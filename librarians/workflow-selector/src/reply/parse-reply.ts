import { z } from "zod";
import { latestVersion } from "../catalog/versions.js";
import { normalise } from "./normalise.js";
import { readOneReply } from "./read-one-reply.js";
import { repairReply } from "./repair.js";
import type { ProvidedWorkflow, ReplyIssue, Strategy, WorkflowSelection } from "./selection.js";
import { validateParameters } from "./validate-parameters.js";

/** A selection, or everything that is wrong with the reply. */
export type ParsedReply =
  | { readonly selection: WorkflowSelection; readonly issues?: undefined }
  | { readonly selection?: undefined; readonly issues: readonly ReplyIssue[] };

const text = z.string("expected text");
const filledText = text.refine((value) => value.trim() !== "", "expected text that is not blank");

const strategySchema = z.object(
  {
    workflow_id: text,
    version: text.optional(),
    confidence: z
      .number("expected a confidence from 0.0 to 1.0")
      .min(0, "expected a confidence from 0.0 to 1.0")
      .max(1, "expected a confidence from 0.0 to 1.0"),
    rationale: filledText,
    estimated_risk: z.enum(["low", "medium", "high"], "expected low, medium or high"),
    parameters: z.record(z.string(), z.unknown(), "expected parameters by name").optional(),
  },
  "expected a strategy",
);

const replySchema = z.object({
  analysis_summary: text,
  root_cause_assessment: text,
  rca_severity: z
    .enum(["critical", "high", "medium", "low"], "expected critical, high, medium or low")
    .optional(),
  contributing_factors: z.array(text, "expected a list of texts").optional(),
  strategies: z.array(strategySchema, "expected one strategy or more"),
  warnings: z.array(text, "expected a list of texts").default([]),
  context_used: z.object(
    { cluster_state: text, resource_availability: text, blast_radius: text },
    "expected cluster_state, resource_availability and blast_radius",
  ),
});

/** What says which workflow a strategy means, whatever else is wrong with it. */
const choiceSchema = strategySchema.pick({ workflow_id: true, version: true, parameters: true });

const riskOrder = { low: 0, medium: 1, high: 2 } as const;

/**
 * Reads the reply of a model, or of any caller that selects: the canonical form, or one of the two forms with
 * `selected_workflow`, bare, fenced or among prose. Nothing is repaired; unknown fields are dropped.
 *
 * @param provided - The workflows and versions that may be selected.
 * @returns The selection, strategies ordered by confidence and then by lower risk, or all issues together.
 */
export function parseReply(reply: string, provided: readonly ProvidedWorkflow[]): ParsedReply {
  const found = readOneReply(reply);
  if (found === undefined) return { issues: [{ path: "", message: "expected a JSON object" }] };
  const repaired = repairReply(found);
  const { reply: normalised, isMinimal, warnings } = normalise(repaired.reply);
  const read = replySchema.safeParse(normalised);
  const issues: ReplyIssue[] = read.success
    ? []
    : read.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  if (!read.success) {
    return { issues: [...issues, ...deeperIssues(normalised.strategies, provided, isMinimal)] };
  }
  const { data } = read;
  if (data.strategies.length === 0 && !isMinimal) {
    return { issues: [{ path: "strategies", message: "expected one strategy or more" }] };
  }
  const allWarnings: string[] = [...data.warnings, ...repaired.warnings, ...warnings];
  const strategies = data.strategies.map((raw, at): Strategy => {
    const checked = checkWorkflow(raw, at, provided, isMinimal && at > 0);
    issues.push(...checked.issues);
    allWarnings.push(...checked.warnings);
    const { workflow_id, confidence, rationale, estimated_risk } = raw;
    const { version, parameters } = checked;
    return { workflow_id, version, confidence, rationale, estimated_risk, parameters };
  });
  if (issues.length > 0) return { issues };
  const ordered = isMinimal
    ? [...strategies.slice(0, 1), ...strategies.slice(1).sort(byConfidence)]
    : [...strategies].sort(byConfidence);
  return { selection: { ...data, strategies: ordered, warnings: allWarnings } };
}

/** What is wrong with the workflows that are named, when something else has not the right shape. */
function deeperIssues(
  strategies: unknown,
  provided: readonly ProvidedWorkflow[],
  isMinimal: boolean,
) {
  const list: readonly unknown[] = Array.isArray(strategies) ? strategies : [];
  return list.flatMap((one, at) => {
    const read = choiceSchema.safeParse(one);
    return read.success ? checkWorkflow(read.data, at, provided, isMinimal && at > 0).issues : [];
  });
}

function checkWorkflow(
  raw: z.infer<typeof choiceSchema>,
  at: number,
  provided: readonly ProvidedWorkflow[],
  allowOpen: boolean,
) {
  const path = `strategies.${at}`;
  const versions = provided.filter(({ workflow_id }) => workflow_id === raw.workflow_id);
  const version = raw.version ?? latestVersion(versions.map((one) => one.version)) ?? "";
  const workflow = versions.find((one) => one.version === version);
  const issues: ReplyIssue[] = [];
  if (versions.length === 0) {
    issues.push({ path: `${path}.workflow_id`, message: "expected one of the workflows provided" });
  } else if (workflow === undefined) {
    issues.push({ path: `${path}.version`, message: "expected a version that was provided" });
  }
  const { workflow_id } = raw;
  const checked = validateParameters(workflow?.parameters, raw.parameters, { allowOpen });
  for (const { path: name, message } of workflow === undefined ? [] : checked.errors) {
    issues.push({ path: `${path}.parameters.${name}`, message });
  }
  const warnings = [
    ...checked.warnings.map((warning) => `${workflow_id}: ${warning}.`),
    ...checked.dropped.map(
      (name) => `${workflow_id}: ${name.slice(0, 80)} is not a parameter of it and was dropped.`,
    ),
  ];
  return { version, parameters: checked.parameters, issues, warnings };
}

function byConfidence(a: Strategy, b: Strategy): number {
  return b.confidence - a.confidence || riskOrder[a.estimated_risk] - riskOrder[b.estimated_risk];
}

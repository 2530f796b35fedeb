import { promptFence, promptFenceNotice } from "@constellation/authoring";
import type { WorkflowParameter } from "../catalog/workflow.js";
import { asLine } from "../incident/untrusted.js";
import type { ProvidedWorkflow, ReplyIssue } from "../reply/selection.js";
import type { WorkflowSearch } from "../search/search-workflow-catalog.js";

const form = `{
  "analysis_summary": "the failure and the approach, in short",
  "root_cause_assessment": "the root cause",
  "strategies": [
    {
      "workflow_id": "as in the list",
      "version": "as in the list",
      "confidence": 0.0-1.0,
      "rationale": "why this workflow addresses the root cause",
      "estimated_risk": "low|medium|high",
      "parameters": { "NAME": "value" }
    }
  ],
  "warnings": ["what to watch"],
  "context_used": {
    "cluster_state": "what you know of it",
    "resource_availability": "what you know of it",
    "blast_radius": "what it would affect"
  }
}`;

/** Instructions for selecting a workflow and filling in its parameters; the same for every incident. */
export const selectionInstructions = `You choose which workflow remedies an incident whose root cause you have found. You run nothing.

${promptFenceNotice}

Every workflow you are given has passed all checks, and may be chosen. Your task is one decision: pick by confidence from
the list, the highest whose description says that it addresses the root cause. Others that would do as well may follow as
further strategies. \`search_workflow_catalog\` searches again with other words; \`get_workflow\` gives the parameters of a
workflow. Only workflows that a search has given may be chosen.

Reply in two parts:
1. A summary in plain words: explain your findings, describe the root cause, explain why you chose this workflow, and
   justify the values of its parameters.
2. One JSON object in a \`\`\`json block, of this form:
${form}

- confidence is your own, from 0.0 to 1.0: how sure you are that the workflow addresses the root cause. It is not the
  confidence of the search.
- estimated_risk is a report for people; it decides nothing.
- parameters: names exactly as the workflow declares them, values from what was found. Leave out TARGET_RESOURCE_NAME,
  TARGET_RESOURCE_KIND, TARGET_RESOURCE_NAMESPACE and TARGET_RESOURCE_API_VERSION: they are filled in from the object to repair.
- When no workflow of the list addresses the root cause, give "selected_workflow": null and a "rationale" in place of
  "strategies".`;

/** Shows what the search gave, by four fields each. */
export function selectionPrompt(query: string, search: WorkflowSearch): string {
  return [
    `The catalog was searched for ${JSON.stringify(asLine(query))} with the business context: ${search.total_results} found.`,
    promptFence({ name: "workflows", text: JSON.stringify(search, undefined, 1) }),
    "Pick by confidence from this list.",
  ].join("\n\n");
}

/** Shows the parameters of the workflows that were chosen, and what was wrong with those given. */
export function populationPrompt(
  chosen: readonly ProvidedWorkflow[],
  issues: readonly ReplyIssue[],
): string {
  const wrong = issues.map(({ path, message }) => `- ${path}: ${message}`);
  return [
    "Fill in the parameters of what you chose, and reply in the same form.",
    promptFence({ name: "parameters", text: chosen.map(describeParameters).join("\n\n") }),
    wrong.length === 0 ? "" : `Missing or not valid so far:\n${wrong.join("\n")}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Says what is wrong with a reply. */
export function correctionPrompt(issues: readonly ReplyIssue[]): string {
  const wrong = issues
    .slice(0, 50)
    .map(({ path, message }) => `- ${path === "" ? "the reply" : path}: ${message}`);
  return `Your reply is not valid:\n${wrong.join("\n")}\n\nReply again, whole, without these.`;
}

function describeParameters({ workflow_id, version, parameters = [] }: ProvidedWorkflow): string {
  return [
    `**Parameters for ${asLine(workflow_id)} (${asLine(version)})**:`,
    ...(parameters.length === 0 ? ["none"] : parameters.flatMap(describeParameter)),
  ].join("\n");
}

function describeParameter(parameter: WorkflowParameter): readonly string[] {
  const {
    name,
    type,
    required,
    description,
    enum: allowed,
    minimum,
    maximum,
    pattern,
    dependsOn,
  } = parameter;
  const limits = [
    ...(minimum === undefined ? [] : [`min: ${minimum}`]),
    ...(maximum === undefined ? [] : [`max: ${maximum}`]),
  ];
  const about = description === undefined ? "" : `: ${asLine(description, 300)}`;
  return [
    `- \`${asLine(name, 255)}\` (${type}${required ? ", **REQUIRED**" : ""})${about}`,
    ...(allowed === undefined
      ? []
      : [
          `  - Allowed values: [${allowed.map((value) => (typeof value === "string" ? `'${asLine(value)}'` : String(value))).join(", ")}]`,
        ]),
    ...(limits.length === 0 ? [] : [`  - Constraints: ${limits.join(", ")}`]),
    ...(pattern === undefined ? [] : [`  - Pattern: ${asLine(pattern)}`]),
    ...(dependsOn === undefined
      ? []
      : [`  - Needs: ${dependsOn.map((one) => asLine(one)).join(", ")}`]),
  ];
}

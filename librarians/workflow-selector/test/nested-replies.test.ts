import { describe, expect, it } from "vitest";
import { parseReply } from "../src/reply/parse-reply.js";
import { analysis, askWith, selected, withStrategy } from "./model.js";

const provided = [
  {
    workflow_id: "restart",
    version: "1.0.0",
    parameters: [
      { name: "WAIT_SECONDS", type: "integer", required: true, minimum: 0, maximum: 60 },
    ],
  },
  { workflow_id: "scale-out", version: "2.1.0", parameters: [] },
] as const;
const rca = { summary: "The queue is full.", severity: "high", contributing_factors: ["load"] };
const chosen = {
  workflow_id: "restart",
  version: "1.0.0",
  confidence: 0.8,
  rationale: "It hangs.",
};
const parameters = { WAIT_SECONDS: 5 };
const whole = { ...chosen, parameters };
const camel = { workflowId: "restart", version: "1.0.0", confidence: 0.8, parameters };
const other = { workflow_id: "scale-out", version: "2.1.0", confidence: 0.4, rationale: "More." };
const json = JSON.stringify;
const fenced = (value: unknown) => `\`\`\`json\n${json(value)}\n\`\`\``;
const flat = { root_cause_analysis: rca, selected_workflow: whole };
const { confidence: _, ...unsure } = whole;

/** Replies as models nest them: each of them selects `restart` with confidence 0.8. */
const nested: readonly (readonly [string, unknown])[] = [
  ["as the contract has it", flat],
  ["camelCase", { rootCauseAnalysis: rca, selectedWorkflow: camel }],
  ["camelCase in the analysis alone", { rootCauseAnalysis: rca, selected_workflow: whole }],
  ["camelCase in the workflow alone", { root_cause_analysis: rca, selectedWorkflow: camel }],
  [
    "camelCase factors",
    {
      rootCauseAnalysis: { summary: "x", severity: "high", contributingFactors: [] },
      selectedWorkflow: camel,
    },
  ],
  ["the analysis as JSON in a text", { ...flat, root_cause_analysis: json(rca) }],
  ["the workflow as JSON in a text", { ...flat, selected_workflow: json(whole) }],
  ["both as JSON in texts", { root_cause_analysis: json(rca), selected_workflow: json(whole) }],
  [
    "parameters as JSON in a text",
    { ...flat, selected_workflow: { ...chosen, parameters: json(parameters) } },
  ],
  ["all as JSON in a text", json(flat)],
  [
    "a confidence at the top",
    { root_cause_analysis: rca, selected_workflow: unsure, confidence: 0.8 },
  ],
  [
    "a confidence at the top, in a text",
    { root_cause_analysis: rca, selected_workflow: unsure, confidence: "0.8" },
  ],
  ["a confidence in a text", { ...flat, selected_workflow: { ...whole, confidence: "0.8" } }],
  ["a confidence in percent", { ...flat, selected_workflow: { ...whole, confidence: "80%" } }],
  ["null alternatives", { ...flat, alternative_workflows: null }],
  ["a list with null for alternatives", { ...flat, alternative_workflows: [null] }],
  ["an alternative", { ...flat, alternative_workflows: [other] }],
  ["alternatives as JSON in a text", { ...flat, alternative_workflows: json([other]) }],
  [
    "null for all that may be missing",
    {
      root_cause_analysis: { ...rca, contributing_factors: null },
      selected_workflow: { ...whole, version: null, rationale: null },
      warnings: null,
    },
  ],
  ["in an object", { response: flat }],
  ["in an object, as JSON in a text", { result: json(flat) }],
  [
    "the names of the forerunner",
    {
      root_cause_analysis: rca,
      selected_playbook: {
        ...unsure,
        workflow_id: undefined,
        playbook_id: "restart",
        confidence: 0.8,
      },
    },
  ],
  ["a severity of another scale", { ...flat, root_cause_analysis: { ...rca, severity: "SEV2" } }],
  ["the workflow in the analysis", { root_cause_analysis: { ...rca, selected_workflow: whole } }],
  ["a list of one", [flat]],
];

describe("replies that models nest in their own way", () => {
  it.each(nested)("are read: %s", (_, reply) => {
    for (const text of [json(reply), fenced(reply)]) {
      const { selection, issues } = parseReply(text, provided);

      expect(issues).toBeUndefined();
      expect(selection?.strategies[0]).toMatchObject({
        workflow_id: "restart",
        version: "1.0.0",
        confidence: 0.8,
        parameters,
      });
    }
  });

  const inWorkflow = (more: object) => ({ ...flat, selected_workflow: { ...whole, ...more } });
  it.each<readonly [string, unknown, string]>([
    [
      "an id that was not provided",
      inWorkflow({ workflow_id: "ghost" }),
      "strategies.0.workflow_id",
    ],
    ["a version that was not provided", inWorkflow({ version: "9.9.9" }), "strategies.0.version"],
    ["a confidence above 1", inWorkflow({ confidence: 1.5 }), "strategies.0.confidence"],
    ["a confidence below 0", inWorkflow({ confidence: -0.1 }), "strategies.0.confidence"],
    ["a confidence in words", inWorkflow({ confidence: "very" }), "strategies.0.confidence"],
    [
      "a parameter above its maximum",
      inWorkflow({ parameters: { WAIT_SECONDS: 99 } }),
      "strategies.0.parameters.WAIT_SECONDS",
    ],
    [
      "a parameter below its minimum",
      inWorkflow({ parameters: { WAIT_SECONDS: -1 } }),
      "strategies.0.parameters.WAIT_SECONDS",
    ],
    [
      "a parameter of another type",
      inWorkflow({ parameters: { WAIT_SECONDS: "soon" } }),
      "strategies.0.parameters.WAIT_SECONDS",
    ],
    [
      "a fraction for an integer",
      inWorkflow({ parameters: { WAIT_SECONDS: 1.5 } }),
      "strategies.0.parameters.WAIT_SECONDS",
    ],
    [
      "a severity that no scale has",
      { ...flat, root_cause_analysis: { ...rca, severity: "purple" } },
      "rca_severity",
    ],
    ["prose", "I would restart it.", ""],
    ["a number", 7, ""],
    ["an empty list", [], ""],
    ["two conclusions", [flat, { ...flat, selected_workflow: other }], ""],
  ])("are refused with their path: %s", (_, reply, path) => {
    const { selection, issues } = parseReply(
      typeof reply === "string" ? reply : json(reply),
      provided,
    );

    expect(selection).toBeUndefined();
    expect(issues?.map((one) => one.path)).toContain(path);
  });

  it.each<readonly [string, string | ReturnType<typeof withStrategy>]>([
    ["an unknown workflow", withStrategy({ workflow_id: "ghost" })],
    ["an unknown version", withStrategy({ version: "9.9.9" })],
    ["a confidence out of range", withStrategy({ confidence: 2 })],
    ["a risk that no one has", withStrategy({ estimated_risk: "tiny" })],
    ["no rationale", withStrategy({ rationale: "" })],
    ["no parameters", withStrategy({ parameters: {} })],
    ["a parameter of another type", withStrategy({ parameters: { SCALE_TARGET_REPLICAS: "few" } })],
    ["prose", "I would scale it down."],
    ["an object that never closes", '{"strategies": ['],
  ])("are corrected within three calls: %s", async (_, faulty) => {
    const { ai, selection } = await askWith([analysis(), faulty, selected]);

    expect(selection.strategies[0]?.workflow_id).toBe("oomkill-scale-down");
    expect(ai.calls.length).toBeLessThanOrEqual(3);
  });
});

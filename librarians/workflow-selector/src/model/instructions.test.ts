import { describe, expect, it } from "vitest";
import { readEntry } from "../catalog/workflow.schema.js";
import { analysisInstructions } from "./analysis-instructions.js";
import { populationPrompt, selectionInstructions, selectionPrompt } from "./selection-prompt.js";

const search = {
  workflows: [{ workflow_id: "a", version: "1.0.0", description: "Does a.", confidence: 0.9 }],
  total_results: 1,
};
const selection = `${selectionInstructions}\n${selectionPrompt("OOMKilled critical", search)}`;

describe("the instructions of the analysis", () => {
  it("WFS-013 ask for an independent RCA from findings, with what fits the source, and prescribe no steps", () => {
    expect(analysisInstructions).toMatch(/independent Root Cause Analysis/);
    expect(analysisInstructions).toMatch(/from investigation findings, not from assumptions/);
    expect(analysisInstructions).toMatch(
      /fits the signal source: objects, events and logs of Kubernetes .* metrics/s,
    );
    expect(analysisInstructions).toMatch(
      /adapt them to the signal source and the incident; none is prescribed/,
    );
  });

  it("WFS-017 name the five phases in order", () => {
    const phases = [1, 2, 3, 4, 5].map((phase) =>
      analysisInstructions.indexOf(`### Phase ${phase}:`),
    );

    expect(phases).not.toContain(-1);
    expect(phases).toEqual([...phases].sort((a, b) => a - b));
  });

  it("WFS-026 give the criteria of four levels and five factors, and ask for the reason", () => {
    const [, levels = ""] = analysisInstructions.split("## RCA Severity Assessment");
    const order = [
      "**critical**",
      ">50% of users",
      "**high**",
      "10-50% of users",
      "**medium**",
      "<10% of users",
      "**low**",
    ];
    const factors = [
      "1. **User Impact**",
      "2. **Environment**",
      "3. **Business Impact**",
      "4. **Escalation Risk**",
      "5. **Data Risk**",
    ];
    const places = [...order, ...factors].map((part) => levels.indexOf(part));

    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(levels).toMatch(/>10% of requests/);
    expect(levels).toMatch(/1-10% of requests/);
    expect(levels).toMatch(/give the reason for the severity/);
  });

  it("WFS-016 name no vendor", () => {
    const all = `${analysisInstructions}${selection}`;

    expect(all).not.toMatch(/claude|anthropic|openai|gpt|gemini|llama|haiku|holmes/i);
  });
});

describe("the instructions of the selection", () => {
  it("CAT-005 ask to pick by confidence, with no other rule, and risk only as a report", () => {
    expect(selectionInstructions).toMatch(/one decision: pick by confidence/);
    expect(selectionInstructions).toMatch(
      /estimated_risk is a report for people; it decides nothing/,
    );
    expect(selection).not.toMatch(/duration|environment|prerequisite|faster|safest|prefer/i);
    expect(selection.match(/\brisk/gi) ?? []).toHaveLength(0);
  });

  it("WFS-014 state the canonical form", () => {
    const fields =
      "analysis_summary root_cause_assessment strategies workflow_id version confidence rationale estimated_risk parameters warnings context_used cluster_state resource_availability blast_radius";

    for (const field of fields.split(" ")) expect(selection).toContain(`"${field}"`);
    expect(selection).toContain("0.0-1.0");
    expect(selection).toContain("low|medium|high");
    expect(selection).not.toContain("remediation_recommendations");
  });

  it("WFS-053 ask for none of the removed fields", () => {
    expect(selection).not.toMatch(
      /action_type|prerequisites|steps|expected_outcome|rollback_plan|"title"/,
    );
  });

  it("WFS-054 ask for a summary before the JSON: findings, cause, choice and values", () => {
    const summary = selectionInstructions.replace(/\s+/g, " ");
    const places = [
      "explain your findings",
      "describe the root cause",
      "explain why you chose this workflow",
      "justify the values of its parameters",
      '"analysis_summary"',
    ].map((part) => summary.indexOf(part));

    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

describe("the prompt that populates", () => {
  it("WFS-015 shows each parameter of Example 1's workflow as the seed prints it", () => {
    const kind = {
      name: "TARGET_RESOURCE_KIND",
      type: "string",
      required: true,
      description: "Kubernetes resource kind",
      enum: ["Deployment", "StatefulSet", "DaemonSet"],
    };
    const replicas = {
      name: "SCALE_TARGET_REPLICAS",
      type: "integer",
      required: true,
      description: "Target replica count",
      min: 0,
      max: 100,
    };
    const note = {
      name: "NOTE",
      type: "string",
      required: false,
      description: "A note",
      pattern: "^[a-z]+$",
    };
    const read = readEntry({
      workflow_id: "oomkill-scale-down",
      version: "1.0.0",
      description: "d",
      labels: {},
      parameters: [kind, replicas, note],
    });
    if ("issues" in read) throw new Error("not an entry");
    const { id, version, parameters } = read.workflow;

    const prompt = populationPrompt([{ workflow_id: id, version, parameters }], []);

    expect(prompt).toContain(`**Parameters for oomkill-scale-down (1.0.0)**:
- \`TARGET_RESOURCE_KIND\` (string, **REQUIRED**): Kubernetes resource kind
  - Allowed values: ['Deployment', 'StatefulSet', 'DaemonSet']
- \`SCALE_TARGET_REPLICAS\` (integer, **REQUIRED**): Target replica count
  - Constraints: min: 0, max: 100
- \`NOTE\` (string): A note
  - Pattern: ^[a-z]+$`);
  });
});

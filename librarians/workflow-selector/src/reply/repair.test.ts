import { describe, expect, it } from "vitest";
import { parseReply } from "./parse-reply.js";

const provided = [{ workflow_id: "restart", version: "1.0.0", parameters: [] }];
const analysis = { summary: "It hangs.", severity: "high", contributing_factors: [] };
const chosen = { workflow_id: "restart", version: "1.0.0", confidence: 0.8 };

function read(reply: object) {
  return parseReply(JSON.stringify(reply), provided);
}

describe("what models really send", () => {
  it.each([
    [
      "camelCase",
      {
        rootCauseAnalysis: analysis,
        selectedWorkflow: { workflowId: "restart", version: "1.0.0", confidence: 0.8 },
      },
    ],
    [
      "JSON in a text",
      { root_cause_analysis: JSON.stringify(analysis), selected_workflow: JSON.stringify(chosen) },
    ],
    [
      "a confidence at the top",
      {
        root_cause_analysis: analysis,
        selected_workflow: { workflow_id: "restart" },
        confidence: 0.8,
      },
    ],
    [
      "a confidence in a text",
      { root_cause_analysis: analysis, selected_workflow: { ...chosen, confidence: "0.8" } },
    ],
    [
      "a workflow at the top",
      { rca_summary: "It hangs.", severity: "high", workflow_id: "restart", confidence: 0.8 },
    ],
    [
      "a confidence in percent",
      { root_cause_analysis: analysis, selected_workflow: { ...chosen, confidence: "80 %" } },
    ],
    [
      "a workflow in the analysis",
      { root_cause_analysis: { ...analysis, selected_workflow: chosen } },
    ],
    [
      "a workflow by its id alone",
      { root_cause_analysis: analysis, selected_workflow: "restart", confidence: 0.8 },
    ],
    [
      "another scale",
      { root_cause_analysis: { ...analysis, severity: "ERROR" }, selected_workflow: chosen },
    ],
  ])("is repaired to the contract, with a warning: %s", (_, reply) => {
    const { selection, issues } = read({ ...reply, confidence_note: "more" });

    expect(issues).toBeUndefined();
    expect(selection?.strategies).toMatchObject([{ workflow_id: "restart", confidence: 0.8 }]);
    expect(selection?.rca_severity).toBe("high");
    expect(selection?.root_cause_assessment).toBe("It hangs.");
    expect(selection?.warnings.length).toBeGreaterThan(0);
  });

  const reply = { root_cause_analysis: analysis, selected_workflow: chosen };
  const wrapped = [
    ["a text", JSON.stringify(JSON.stringify(reply))],
    ["an object", JSON.stringify({ response: reply })],
    ["an object, as JSON in a text", JSON.stringify({ result: JSON.stringify(reply) })],
    [
      "a fence, with another object after it",
      `\`\`\`json\n${JSON.stringify(reply)}\n\`\`\` {"workflow_id":"x"}`,
    ],
    ["two equal fences", `\`\`\`\n${JSON.stringify(reply)}\n\`\`\`\n`.repeat(2)],
  ] as const;
  it.each(wrapped)("may stand in %s", (_, text) => {
    expect(parseReply(text, provided).selection?.strategies).toMatchObject([
      { workflow_id: "restart" },
    ]);
  });

  it("is none where there are several that differ", () => {
    const other = { ...reply, selected_workflow: { ...chosen, confidence: 0.1 } };
    const fences = [reply, other].map((one) => `\`\`\`json\n${JSON.stringify(one)}\n\`\`\``);

    for (const text of [JSON.stringify([reply, other]), fences.join("\nor\n")])
      expect(parseReply(text, provided).issues).toEqual([
        { path: "", message: "expected a JSON object" },
      ]);
  });

  it("may say null for what is not given", () => {
    const { selection } = read({
      root_cause_analysis: { ...analysis, contributing_factors: null },
      selected_workflow: { ...chosen, version: null, parameters: null, rationale: null },
      alternative_workflows: [null],
      warnings: null,
    });

    expect(selection?.strategies).toMatchObject([{ workflow_id: "restart", version: "1.0.0" }]);
  });

  it("may have null alternatives and unknown fields", () => {
    const reply = { root_cause_analysis: analysis, selected_workflow: chosen };

    expect(
      read({ ...reply, alternative_workflows: null, mood: "good" }).selection?.strategies,
    ).toHaveLength(1);
  });

  it("keeps the names of parameters as they are", () => {
    const schema = { name: "maxReplicas", type: "integer", required: true } as const;
    const reply = {
      rootCauseAnalysis: analysis,
      selectedWorkflow: { ...chosen, parameters: { maxReplicas: 3 } },
    };
    const { selection } = parseReply(JSON.stringify(reply), [
      { workflow_id: "restart", version: "1.0.0", parameters: [schema] },
    ]);

    expect(selection?.strategies[0]?.parameters).toEqual({ maxReplicas: 3 });
  });

  it("is refused by its path where it cannot be repaired", () => {
    const { issues } = read({
      root_cause_analysis: { ...analysis, severity: "purple" },
      selected_workflow: { ...chosen, confidence: "very" },
    });

    expect(issues?.map(({ path }) => path).sort()).toEqual([
      "rca_severity",
      "strategies.0.confidence",
    ]);
  });
});

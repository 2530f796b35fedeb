import { createRouter } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import {
  createWorkflowSelectorLibrarian,
  parseReply,
  readWorkflowSearch,
  type WorkflowSelection,
} from "../src/index.js";
import {
  analysis,
  askWith,
  example1,
  facts,
  selected,
  signal,
  withStrategy,
  workflows,
} from "./model.js";
import { vouched } from "./workflows.js";

describe("what it answers with a model", () => {
  it("WFS-068 has rationale and RCA in the answer, the strategy's confidence, and the canonical form", async () => {
    const { response, selection } = await askWith([analysis(), selected]);

    expect(response.answer).toContain(example1.strategies[0]?.rationale);
    expect(response.answer).toContain(example1.root_cause_assessment);
    expect(response.confidence).toBe(0.85);
    expect(selection).toEqual({
      ...example1,
      rca_severity: "critical",
      contributing_factors: ["several pods share the node"],
    });
    expect(response.metadata?.model).toEqual({
      outcome: "used",
      attempts: { analysis: 1, selection: 1 },
    });
    expect(response.sources?.map(({ name }) => name)).toEqual(["oomkill-scale-down@1.0.0"]);
  });

  it("WFS-067 is the same for workflows shown in the prompt and for workflows searched", async () => {
    const shown = await askWith([analysis(), selected]);
    const searched = await askWith([
      analysis(),
      {
        text: selected,
        toolCalls: [{ name: "search_workflow_catalog", input: { query: "OOMKilled critical" } }],
      },
    ]);

    expect(searched.response).toEqual(shown.response);
  });

  it("WFS-022 keeps the RCA when the catalog cannot be read", async () => {
    const store = { read: () => Promise.reject(new Error("password=hunter2")) };
    const { response, selection, ai } = await askWith([analysis()], { options: { store } });

    expect(response).toMatchObject({ partial: true, error: { code: "DATA_SOURCE_ERROR" } });
    expect(response.answer).toContain("Node memory exhaustion");
    expect(selection.strategies).toEqual([]);
    expect(selection.warnings).toEqual([
      "MCP search failed: The workflow catalog cannot be read. RCA completed but workflow selection unavailable.",
    ]);
    expect(JSON.stringify(response)).not.toContain("hunter2");
    ai.assertComplete();
  });

  it("WFS-023 keeps the RCA when no workflow is found, and does not ask for a choice among none", async () => {
    const { response, selection, ai } = await askWith([analysis()], {
      options: { store: createMemoryCatalog([]) },
    });

    expect(response).toMatchObject({ partial: true, error: { code: "NOT_FOUND" } });
    expect(response.answer).toContain("Node memory exhaustion");
    expect(selection).toMatchObject({ strategies: [], rca_severity: "critical" });
    ai.assertComplete();
  });

  it("WFS-060 takes it that nothing was chosen", async () => {
    const none = {
      root_cause_analysis: { summary: "Memory exhausted.", severity: "high" },
      selected_workflow: null,
      rationale: "None addresses the node.",
    };
    const { response, selection } = await askWith([analysis(), JSON.stringify(none)]);

    expect(response).toMatchObject({ partial: true, error: { code: "NOT_FOUND" } });
    expect(selection.strategies).toEqual([]);
    expect(selection.warnings).toContain("None addresses the node.");
  });

  const nested = {
    root_cause_analysis: {
      summary: "Memory exhausted.",
      severity: "critical",
      contributing_factors: ["load"],
    },
    selected_workflow: { ...example1.strategies[0] },
  };
  const flat = {
    analysis_summary: "Memory exhausted.",
    root_cause_assessment: "Too many pods.",
    rca_severity: "critical",
    selected_workflow: { ...example1.strategies[0] },
    warnings: ["watch it"],
    alternative_workflows: [
      { workflow_id: "oomkill-increase-memory", confidence: 0.65, rationale: "second" },
    ],
  };
  it.each([
    ["canonical", example1],
    ["root_cause_analysis and selected_workflow", nested],
    ["selected_workflow with alternatives", flat],
  ])("WFS-069 reads a reply in the form %s from end to end", async (_, reply) => {
    const router = createRouter({
      ai: scriptedAI([analysis(), `Here is why.\n\n\`\`\`json\n${JSON.stringify(reply)}\n\`\`\``]),
    });
    router.register(createWorkflowSelectorLibrarian({ store: createMemoryCatalog(workflows) }));

    const { metadata, confidence, error } = await router.ask(JSON.stringify(signal));

    expect(error).toBeUndefined();
    expect(confidence).toBe(0.85);
    const selection = metadata?.workflowSelection as WorkflowSelection; // what the librarian puts there
    expect(selection.rca_severity).toBe("critical");
    expect(selection.strategies[0]).toMatchObject({
      workflow_id: "oomkill-scale-down",
      parameters: { SCALE_TARGET_REPLICAS: 3 },
    });
  });

  it("WFS-069 has scripted replies and views that the published readers accept", async () => {
    const provided = workflows.map(({ workflow_id, version, ...rest }) => ({
      workflow_id,
      version,
      ...rest,
    }));
    const { ai } = await askWith([
      analysis(),
      {
        text: selected,
        toolCalls: [{ name: "search_workflow_catalog", input: { query: "OOMKilled" } }],
      },
    ]);

    for (const reply of [example1, nested, flat]) {
      expect(
        parseReply(
          JSON.stringify(reply),
          provided.map(({ workflow_id, version }) => ({ workflow_id, version })),
        ).issues,
      ).toBeUndefined();
    }
    expect(
      readWorkflowSearch(JSON.parse(ai.calls[1]?.toolResults[0]?.text ?? "")).workflows.length,
    ).toBeGreaterThan(0);
  });

  it("fills the system's parameters from the object to repair, not from the reply", async () => {
    const parameters = {
      ...example1.strategies[0]?.parameters,
      TARGET_RESOURCE_NAME: "another",
      TARGET_RESOURCE_NAMESPACE: "kube-system",
    };
    const { selection } = await askWith([analysis(), withStrategy({ parameters })]);

    expect(selection.strategies[0]?.parameters).toEqual(example1.strategies[0]?.parameters);
  });

  it("repairs what the incident's pod belongs to, where the model names the pod and the workflow is made for its owner", async () => {
    const component = ["Deployment"];
    const offered = workflows.map(({ labels, ...one }) => ({
      ...one,
      labels: { ...labels, component },
    }));

    const { response, selection } = await askWith(
      [analysis({ target_resource: "production/Pod/my-app-1" }), selected],
      {
        query: "What should we run to fix my-app?",
        context: vouched({ facts }),
        options: { store: createMemoryCatalog(offered) },
      },
    );

    expect(selection.strategies[0]?.parameters).toEqual(example1.strategies[0]?.parameters);
    expect(response.partial).toBeUndefined();
  });
});

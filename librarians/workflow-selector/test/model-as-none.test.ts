import { createRouter } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog, createWorkflowSelectorLibrarian, parseReply } from "../src/index.js";
import { analysis, signal, workflows } from "./model.js";

async function ask(...replies: readonly string[]) {
  const router = createRouter({ ai: scriptedAI([...replies]) });
  router.register(createWorkflowSelectorLibrarian({ store: createMemoryCatalog(workflows) }));
  return router.ask(JSON.stringify(signal));
}
const prose = "I think it is the memory.";

describe("a model that gives no conclusion", () => {
  it.each([
    ["writes prose at the first step", [prose, prose, prose]],
    ["writes prose when it selects", [analysis(), prose, prose, prose]],
    ["gives a list of two conclusions", [`[${analysis()}, ${analysis()}]`, `[1, 2]`, "[]"]],
  ])("%s is as none, and the reason is reported", async (_, replies) => {
    const { error, metadata } = await ask(...replies);

    expect(error?.code).not.toBe("INTERNAL_ERROR");
    expect(metadata?.model).toMatchObject({ reason: "invalid-reply" });
    expect(metadata?.workflowSelection).toBeDefined();
  });

  it("or only says that something is wrong is as none", async () => {
    const summary = "The deployment my-app is stuck.";
    const empty = analysis({
      root_cause_analysis: { summary, severity: "high", contributing_factors: [] },
    });
    const { metadata } = await ask(empty, empty);

    expect(metadata?.model).toMatchObject({ outcome: "not-used", reason: "no-cause" });
  });
});

describe("a reply", () => {
  const strategy = { confidence: 0.9, rationale: "It fits.", parameters: {} };
  const provided = [{ workflow_id: "a", version: "1.0.0" }];

  it("with playbook_id names the workflow", () => {
    const reply = {
      root_cause_analysis: { summary: "x", severity: "high" },
      selected_workflow: { playbook_id: "a", ...strategy },
    };

    expect(parseReply(JSON.stringify(reply), provided).selection?.strategies[0]?.workflow_id).toBe(
      "a",
    );
  });

  it("that is a list of two is none", () => {
    const one = { selected_workflow: { workflow_id: "a", ...strategy }, analysis_summary: "x" };

    expect(parseReply(JSON.stringify([one, one]), provided).issues).toEqual([
      { path: "", message: "expected a JSON object" },
    ]);
  });
});

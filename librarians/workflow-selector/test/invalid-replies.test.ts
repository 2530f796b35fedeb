import { createRouter } from "@constellation/core";
import { scriptedAI } from "@constellation/core/testing";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian } from "../src/index.js";
import {
  analysis,
  askWith,
  example1,
  selected,
  signal,
  toldIn,
  withStrategy,
  workflows,
} from "./model.js";

describe("a reply that is not valid", () => {
  const faulty = withStrategy({ confidence: 2, estimated_risk: "tiny", workflow_id: "ghost" });
  const three = [
    "strategies.0.confidence",
    "strategies.0.estimated_risk",
    "strategies.0.workflow_id",
  ];

  it("is fed back with all that is wrong, three replies at most", async () => {
    const { ai, selection, response } = await askWith([
      analysis(),
      withStrategy({ confidence: 2, estimated_risk: "tiny" }),
      "no JSON",
      selected,
    ]);

    expect(selection.strategies[0]?.workflow_id).toBe("oomkill-scale-down");
    expect(response.metadata?.model).toMatchObject({ attempts: { selection: 3 } });
    expect(toldIn(ai, 2)).toMatch(
      /strategies\.0\.confidence: expected a confidence.*strategies\.0\.estimated_risk: expected low, medium or high/s,
    );
    expect(toldIn(ai, 3)).toContain("the reply: expected a JSON object");
    ai.assertComplete();
  });

  it("WFS-064 WFS-065 WFS-066 leaves an error with the reply after three, and nothing selected", async () => {
    const { response, ai } = await askWith([analysis(), faulty, faulty, faulty]);

    expect(response.error).toMatchObject({
      code: "INTERNAL_ERROR",
      details: { reason: "invalid-response", llmResponse: faulty },
    });
    const issues = response.error?.details?.issues as readonly { readonly path: string }[]; // as invalidReply makes them
    expect(issues.map(({ path }) => path).sort()).toEqual(three);
    expect(response.error?.message).not.toContain("ghost");
    expect(response.delegate).toBeUndefined();
    expect(response.answer).toBeUndefined();
    expect(response.metadata?.workflowSelection).toBeUndefined();
    ai.assertComplete();
  });

  it("WFS-065 delegates nothing to a librarian that could run a workflow", async () => {
    const run = vi.fn(async () => ({ answer: "ran" }));
    const router = createRouter({
      entry: "workflow-selector",
      ai: scriptedAI([analysis(), faulty, faulty, faulty]),
    });
    router.register(createWorkflowSelectorLibrarian({ store: createMemoryCatalog(workflows) }));
    router.register({
      id: "executor",
      description: "runs the remediation workflow of an incident",
      capabilities: ["remediation.execution"],
      librarian: run,
    });

    expect((await router.ask(JSON.stringify(signal))).error?.code).toBe("INTERNAL_ERROR");
    expect(run).not.toHaveBeenCalled();
  });

  it("WFS-063 is reported in one event, with path and cause of each problem and nothing of the reply", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    provider.register();
    onTestFinished(() => provider.shutdown());
    const { context } = await askWith([
      analysis(),
      withStrategy({ confidence: 2, estimated_risk: "tiny", rationale: "" }),
      selected,
    ]);
    const [span] = exporter.getFinishedSpans();
    const reported = context.reported
      .map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
      .filter((one) => one.includes("not valid"));

    expect(span?.events).toHaveLength(1);
    expect(span?.events[0]?.attributes).toEqual({
      "librarian.workflow.step": "selection",
      "librarian.attempt": 1,
      "librarian.workflow.issues": [
        "strategies.0.confidence: expected a confidence from 0.0 to 1.0",
        "strategies.0.rationale: expected text that is not blank",
        "strategies.0.estimated_risk: expected low, medium or high",
      ],
    });
    expect(reported).toHaveLength(1);
    for (const path of ["confidence", "rationale", "estimated_risk"])
      expect(reported[0]).toContain(`strategies.0.${path}`);
    expect(reported[0]).not.toContain("tiny");
  });

  it("corrects parameters too, each with its rule", async () => {
    const wrong = { ...example1.strategies[0]?.parameters, SCALE_TARGET_REPLICAS: 101 };
    const { ai, selection } = await askWith([
      analysis(),
      withStrategy({ parameters: wrong }),
      withStrategy({ parameters: { ...wrong, SCALE_TARGET_REPLICAS: "3" } }),
      selected,
    ]);

    expect(toldIn(ai, 2)).toContain("SCALE_TARGET_REPLICAS is above the maximum 100");
    expect(toldIn(ai, 3)).toContain("SCALE_TARGET_REPLICAS must be of type integer");
    expect(selection.strategies[0]?.parameters.SCALE_TARGET_REPLICAS).toBe(3);
  });

  it("hides secrets of the reply in its error, and cuts it", async () => {
    const reply = `password=hunter2hunter2 ${"x".repeat(50_000)}`;
    const { response } = await askWith(() => reply);
    const shown = String(response.error?.details?.llmResponse);

    expect(shown).not.toContain("hunter2");
    expect(shown.length).toBeLessThanOrEqual(4_000);
  });
});

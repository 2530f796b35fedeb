import { createRouter } from "@constellation/core";
import { type AIScript, scriptedAI } from "@constellation/testing";
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

  it("is fed back with all that is wrong", async () => {
    const { ai, selection, response } = await askWith([
      analysis(),
      withStrategy({ confidence: 2, estimated_risk: "tiny" }),
      selected,
    ]);

    expect(selection.strategies[0]?.workflow_id).toBe("oomkill-scale-down");
    expect(response.metadata?.model).toMatchObject({ attempts: { selection: 2 } });
    expect(toldIn(ai, 2)).toMatch(
      /strategies\.0\.confidence: expected a confidence.*strategies\.0\.estimated_risk: expected low, medium or high/s,
    );
    ai.assertComplete();
  });

  it("says so where it is not JSON", async () => {
    const { ai } = await askWith([analysis(), "no JSON", selected]);

    expect(toldIn(ai, 2)).toContain("the reply: expected a JSON object");
  });

  it.each<readonly [string, AIScript]>([
    ["in the selection", [analysis(), "no JSON", "no JSON", selected]],
    ["in the root cause", ["no JSON", "no JSON", "no JSON", selected]],
    ["in the root cause and then in the selection", ["no JSON", analysis(), "no JSON", selected]],
    [
      "where parameters are still open",
      [analysis(), "no JSON", withStrategy({ parameters: {} }), selected],
    ],
  ])("costs three calls at most in all, repairs included: %s", async (_, script) => {
    const { ai } = await askWith(script);

    expect(ai.calls.length).toBeLessThanOrEqual(3);
  });

  it("leaves parameters open, and those that are valid filled in, where no call is left", async () => {
    const { ai, selection, response } = await askWith([
      analysis(),
      "no JSON",
      withStrategy({
        parameters: { TARGET_NAMESPACE: "production", SCALE_TARGET_REPLICAS: 5_000 },
      }),
    ]);

    expect(selection.strategies[0]?.parameters).toMatchObject({ TARGET_NAMESPACE: "production" });
    expect(selection.strategies[0]?.parameters).not.toHaveProperty("SCALE_TARGET_REPLICAS");
    expect(selection.warnings.join()).toContain("SCALE_TARGET_REPLICAS is required");
    expect(response.partial).toBe(true);
    ai.assertComplete();
  });

  it("WFS-064 WFS-065 WFS-066 leaves an error with the reply after three calls, and nothing selected", async () => {
    const { response, ai } = await askWith([analysis(), faulty, faulty]);

    expect(response.error).toMatchObject({
      code: "INTERNAL_ERROR",
      details: { reason: "invalid-response", llmResponse: faulty },
    });
    const issues = response.error?.details?.issues as readonly { readonly path: string }[]; // as invalidReply makes them
    expect(issues.map(({ path }) => path).sort()).toEqual(three);
    expect(response.error?.message).not.toContain("ghost");
    expect(response.delegate).toBeUndefined();
    expect(response.metadata?.workflowSelection).toBeUndefined();
    ai.assertComplete();
  });

  it("WFS-065 still answers, for a person, what is answered without the model", async () => {
    const { response } = await askWith([analysis(), faulty, faulty]);
    const router = createRouter();
    router.register(createWorkflowSelectorLibrarian({ store: createMemoryCatalog(workflows) }));
    const without = await router.ask(JSON.stringify(signal));

    const [proposed = ""] = without.answer?.split("\n") ?? [];

    expect(proposed).toContain("is proposed. Nothing was run.");
    expect(response.answer).toMatch(/^Nothing is selected: no reply of the model is valid\./);
    expect(response.answer).toContain(proposed);
    expect(response.answer).not.toContain("ghost");
    expect(response.partial).toBe(true);
    expect(response.metadata?.approval).toMatchObject({
      humanReview: true,
      approvalRequired: true,
    });
  });

  it("WFS-065 delegates nothing to a librarian that could run a workflow", async () => {
    const run = vi.fn(async () => ({ answer: "ran" }));
    const router = createRouter({
      entry: "workflow-selector",
      ai: scriptedAI([analysis(), faulty, faulty]),
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
      withStrategy({ parameters: { ...wrong, MORE: 1, TARGET_NAMESPACE: 7 } }),
      selected,
    ]);

    expect(toldIn(ai, 2)).toContain("SCALE_TARGET_REPLICAS is above the maximum 100");
    expect(toldIn(ai, 2)).toContain("TARGET_NAMESPACE must be of type string");
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

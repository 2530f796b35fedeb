import { MeshError } from "@constellation/core";
import { aiFailure, aiRateLimit, aiRefusal, testContext } from "@constellation/testing";
import { describe, expect, it, vi } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian } from "../src/index.js";
import { analysis, askWith, signal, workflows } from "./model.js";
import { vouched } from "./workflows.js";

describe("a model that fails", () => {
  it.each([
    ["cannot be reached", aiFailure(), "AI_UNAVAILABLE"],
    ["refuses because of too many requests", aiRateLimit(), "RATE_LIMITED"],
    ["refuses to answer", aiRefusal(), "refusal"],
    ["throws something else", { error: new Error("key=secret") }, "AI_UNAVAILABLE"],
  ])("that %s leaves the path without a model, and says so", async (_, step, reason) => {
    const { response, selection } = await askWith([step]);
    const plain = await createWorkflowSelectorLibrarian({
      store: createMemoryCatalog(workflows),
    }).librarian(JSON.stringify(signal), testContext());

    expect(selection).toEqual(plain.metadata?.workflowSelection);
    expect(response.metadata?.approval).toEqual(plain.metadata?.approval);
    expect(response.metadata?.model).toEqual({ outcome: "not-used", reason, attempts: {} });
    expect(response.answer).toContain(`The model was not used (${reason})`);
  });

  it("keeps the root cause when it fails later", async () => {
    const { response, selection } = await askWith([analysis(), aiFailure()]);

    expect(response.metadata?.model).toEqual({
      outcome: "analysis-only",
      reason: "AI_UNAVAILABLE",
      attempts: { analysis: 1 },
    });
    expect(selection.root_cause_assessment).toContain("Node memory exhaustion");
    expect(selection.strategies[0]?.workflow_id).toContain("oomkill-");
    expect(response.answer).toContain("chosen by rules");
  });

  it("does not outlive its share of the time, and the answer still comes before the deadline", async () => {
    const begun = Date.now();
    const { response } = await askWith([{ text: analysis(), afterMs: Number.POSITIVE_INFINITY }], {
      context: { deadline: begun + 1_000 },
    });

    expect(response.metadata?.model).toMatchObject({ outcome: "not-used", reason: "TIMEOUT" });
    expect(Date.now() - begun).toBeLessThan(1_000);
  });

  it("does not outlive a client that ignores signal and time", async () => {
    const begun = Date.now();
    const hang = () => new Promise<never>(() => {});
    const { response } = await askWith([], {
      context: { deadline: begun + 1_000, ai: { complete: hang, analyze: hang, runTools: hang } },
    });

    expect(response.metadata?.model).toMatchObject({ reason: "TIMEOUT" });
    expect(Date.now() - begun).toBeLessThan(1_000);
  });

  it("does not ask when too little time is left", async () => {
    const { response, ai } = await askWith([analysis()], { context: { remainingMs: () => 300 } });

    expect(ai.calls).toEqual([]);
    expect(response.metadata?.model).toMatchObject({ outcome: "not-used", reason: "no-time" });
  });

  it("ends with TIMEOUT when the caller cancels", async () => {
    const controller = new AbortController();
    const asked = askWith([{ text: analysis(), afterMs: Number.POSITIVE_INFINITY }], {
      context: { signal: controller.signal },
    });
    await vi.waitFor(() => expect(controller.signal.aborted).toBe(false), 20_000);
    controller.abort(new MeshError("TIMEOUT", "The caller left.", { reason: "cancelled" }));

    expect((await asked).response.error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });

  it("is not asked about a cluster in which nothing is wrong", async () => {
    const { ai, response } = await askWith([analysis()], {
      query: "what now?",
      context: vouched({ facts: [{ signal_type: "Healthy" }] }),
    });

    expect(ai.calls).toEqual([]);
    expect(response.error?.code).toBe("NOT_FOUND");
  });
});

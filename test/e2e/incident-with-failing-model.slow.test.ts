import { describe, expect, it } from "vitest";
import { apiKey } from "./incident-mesh.js";
import {
  askWith,
  expectIdle,
  expectWithoutModel,
  meshWith,
  modelOf,
  question,
  reasonsOf,
} from "./incident-run.js";

/** A model that never answers. */
const hangs = { afterMs: Number.POSITIVE_INFINITY };

describe("the incident mesh and a model that does not keep to what it was given", () => {
  it("passes nothing on to a librarian that does not exist", async () => {
    const { record } = await askWith({
      answers: {
        "triage-decision": () => ({
          value: {
            strategy: "multiple",
            targets: ["root-shell", "triage"],
            refinedQueries: [],
            reasoning: "They know best.",
            expectedImprovement: 1,
          },
        }),
      },
    });

    expect(new Set(record.hops.map(({ to }) => to))).toEqual(
      new Set(["triage", "k8s", "docs", "workflow-selector"]),
    );
    expect(reasonsOf(record)).toContain("the model's decision failed (invalid-reply)");
  });

  it("has the runbook quoted when the model cites a page that does not exist", async () => {
    const { response, asked } = await askWith({
      query: "How do I roll back a release?",
      answers: {
        navigator: () => ({
          value: {
            answer: "Run `shop-ctl undo --now` (deploy/made-up.md, Undo).",
            sources: [{ file: "deploy/made-up.md", section: "Undo", relevance: "It says how." }],
            confidence: "high",
            confidenceReason: "It is very clear.",
            outOfDomain: false,
          },
        }),
      },
    });

    expect(asked.filter((kind) => kind === "navigator")).toHaveLength(2);
    expect(response.answer).toContain("rollout undo");
    expect(JSON.stringify([response.answer, response.sources])).not.toMatch(/made-up|shop-ctl/);
    expect(response.metadata?.model).toMatchObject({ outcome: "not-used", reason: "violations" });
  });

  it("does not show evidence that does not exist", async () => {
    const { response } = await askWith({
      answers: {
        "cluster-summary": () => ({
          value: {
            summary: "A stranger deleted the cluster.",
            signalTypes: ["OOMKilled"],
            citations: ["production/Pod/made-up"],
          },
        }),
      },
    });

    expect(response.answer).toContain("OOMKilled");
    expect(response.answer).not.toContain("stranger");
    expect(modelOf(response, "k8s")).toMatchObject({
      outcome: "not-used",
      reason: "invalid-reply",
    });
  });
});

describe("the incident mesh and a model that fails", () => {
  const limits = { AI_UNAVAILABLE: 10_000, RATE_LIMITED: 5_000 } as const;

  it.each([
    ["is down", "closed", "AI_UNAVAILABLE"],
    ["answers 429", { status: 429, message: apiKey, retryAfterMs: 600_000 }, "RATE_LIMITED"],
    ["answers 529", { status: 529, message: apiKey, retryAfterMs: 50 }, "AI_UNAVAILABLE"],
    ["refuses its key", { status: 401, message: `invalid key ${apiKey}` }, "AI_UNAVAILABLE"],
    ["answers with a page", { garbage: "<html>bad gateway</html>" }, "AI_UNAVAILABLE"],
    ["cuts every connection", { cut: "during", text: "so" }, "AI_UNAVAILABLE"],
    ["refuses", { text: "I cannot.", stopReason: "refusal" }, "AI_UNAVAILABLE"],
  ] as const)("answers from what it has when the model %s", async (_how, step, code) => {
    const { response, record } = await askWith(
      step === "closed" ? { isDown: true } : { step: () => step },
    );

    expectWithoutModel(response);
    expect(record.durationMs).toBeLessThan(limits[code]);
    expect(modelOf(response, "k8s")).toMatchObject({ outcome: "not-used", reason: code });
    expect(reasonsOf(record)).toContain(`the model's analysis failed (${code})`);
    expect(JSON.stringify([response, record])).not.toContain(apiKey);
  });

  it("answers from what it has when the model writes what is not an answer", async () => {
    const { response, record } = await askWith({ step: () => ({ text: "lorem ipsum" }) });

    expectWithoutModel(response);
    expect(response.metadata?.missing).toBeUndefined();
    expect(modelOf(response, "workflow-selector")).toMatchObject({
      outcome: "not-used",
      reason: "invalid-reply",
    });
    expect(record.stopReason).toBe("answered");
  });

  it("closes every connection when the caller cancels", async () => {
    const { mesh, server, isAsked } = await meshWith({ step: () => hangs });
    const run = mesh.router.start(question);
    await isAsked;

    run.cancel();
    const { error } = await run.response;
    await run.settled;

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "cancelled" } });
    await expectIdle(server);
  });
});

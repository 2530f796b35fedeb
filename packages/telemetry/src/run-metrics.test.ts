import { createRouter, type Librarian, type Router } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OtlpReceiver, startReceiver } from "../test/otlp-receiver.js";
import { startTelemetry, type Telemetry } from "./telemetry.js";

const query = "a secret query";

function routerWith(librarians: Readonly<Record<string, Librarian>>): Router {
  const [entry = ""] = Object.keys(librarians);
  const router = createRouter({ name: "desk", entry });
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: id, librarian, ...(id === "deaf" && { timeoutMs: 30 }) });
  }
  return router;
}

describe("recordMetrics", () => {
  let collector: OtlpReceiver;
  let telemetry: Telemetry;

  beforeEach(async () => {
    collector = await startReceiver();
    telemetry = await startTelemetry({ endpoint: collector.url });
  });
  afterEach(async () => {
    await telemetry.shutdown();
    await collector.close();
  });

  it("records how long runs and librarians take, in seconds", async () => {
    const router = routerWith({
      desk: async () => ({ delegate: { to: "docs" } }),
      docs: async () => ({ answer: "ok" }),
    });
    telemetry.recordMetrics(router, { workflowName: "desk" });

    await router.ask(query);
    await router.ask(query);
    await telemetry.flush();

    expect(collector.points("gen_ai.workflow.duration")).toMatchObject([
      {
        unit: "s",
        count: 2,
        attributes: {
          "gen_ai.operation.name": "invoke_workflow",
          "gen_ai.workflow.name": "desk",
        },
      },
    ]);
    expect(collector.points("gen_ai.invoke_agent.duration")).toMatchObject([
      {
        unit: "s",
        count: 2,
        attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk" },
      },
      { count: 2, attributes: { "gen_ai.agent.name": "docs" } },
    ]);
    for (const { sum } of collector.points("gen_ai.workflow.duration")) {
      expect(sum).toBeGreaterThan(0);
      expect(sum).toBeLessThan(0.5);
    }
  });

  it("names the code of a failure as the span does, and no failure where it was cancelled", async () => {
    const router = routerWith({ docs: () => Promise.reject(new Error("down")) });
    telemetry.recordMetrics(router);

    await router.ask(query);
    const cancelled = router.start(query);
    cancelled.cancel();
    await cancelled.response;
    await telemetry.flush();

    for (const metric of ["gen_ai.workflow.duration", "gen_ai.invoke_agent.duration"]) {
      const types = collector.points(metric).map(({ attributes }) => attributes["error.type"]);
      expect(types).toEqual(["INTERNAL_ERROR", undefined]);
    }
  });

  it("names no failure where a run waits", async () => {
    const waits = {
      code: "UNAUTHORIZED",
      message: "It waits.",
      details: { reason: "waiting" },
    } as const;
    const router = routerWith({ docs: async () => ({ error: waits }) });
    telemetry.recordMetrics(router);

    await router.ask(query);
    await telemetry.flush();

    const [run] = collector.points("gen_ai.workflow.duration");
    expect(run?.attributes).not.toHaveProperty("error.type");
  });

  it("counts the tokens and the cost of models, by librarian", async () => {
    const usage = { inputTokens: 30, outputTokens: 4, cacheReadTokens: 20, costUsd: 0.25 };
    const ai = scriptedAI([{ text: "ok", usage }]);
    const router = routerWith({
      docs: async (_query, context) => {
        const reply = await context?.ai?.complete({ prompt: "hi" });
        return { answer: reply?.text ?? "no model" };
      },
    });
    telemetry.recordMetrics(router);

    await router.ask(query, { ai });
    await telemetry.flush();

    const docs = { "gen_ai.agent.name": "docs" };
    expect(collector.points("librarian.tokens")).toMatchObject([
      { sum: 30, attributes: { ...docs, "gen_ai.token.type": "input" } },
      { sum: 4, attributes: { ...docs, "gen_ai.token.type": "output" } },
    ]);
    expect(collector.points("librarian.cost")).toMatchObject([{ sum: 0.25, attributes: docs }]);
  });

  it("counts what was refused, abandoned and missing, once each", async () => {
    const router = routerWith({
      desk: async () => ({ delegate: [{ to: "inner" }, { to: "docs" }, { to: "desk" }] }),
      inner: async () => ({ delegate: [{ to: "deaf" }, { to: "docs" }] }),
      docs: async () => ({ answer: "ok" }),
      deaf: () => new Promise(() => {}),
    });
    telemetry.recordMetrics(router);

    await router.ask(query);
    await telemetry.flush();

    expect(collector.points("librarian.hops.refused")).toMatchObject([
      { sum: 1, attributes: { "error.type": "LOOP_DETECTED" } },
    ]);
    expect(collector.points("librarian.hops.abandoned")).toMatchObject([
      { sum: 1, attributes: { "gen_ai.agent.name": "deaf", "librarian.error.reason": "deadline" } },
    ]);
    expect(collector.points("librarian.branches.missing")).toMatchObject([
      { sum: 1, attributes: { "error.type": "TIMEOUT" } },
      { sum: 1, attributes: { "error.type": "LOOP_DETECTED" } },
    ]);
  });

  it("counts the changes of breakers, and shows which are open", async () => {
    let isDown = true;
    const router = createRouter();
    router.register({
      id: "docs",
      description: "docs",
      breaker: { minCalls: 2, openMs: 100 },
      librarian: async () => (isDown ? Promise.reject(new Error("down")) : { answer: "ok" }),
    });
    telemetry.recordMetrics(router);
    const docs = { "gen_ai.agent.name": "docs" };

    for (let call = 0; call < 3; call++) await router.ask(query);
    await telemetry.flush();

    expect(collector.points("librarian.breaker.changes")).toMatchObject([
      { sum: 1, attributes: { ...docs, "librarian.breaker.state": "open" } },
    ]);
    expect(collector.points("librarian.breaker.open")).toMatchObject([
      { sum: 1, attributes: docs },
    ]);
    expect((await router.health()).docs).toMatchObject({ breaker: "open" });

    isDown = false;
    await vi.waitFor(async () => expect((await router.ask(query)).answer).toBe("ok"), 20_000);
    await telemetry.flush();

    const states = collector
      .points("librarian.breaker.changes")
      .map(({ attributes }) => attributes["librarian.breaker.state"]);
    expect(new Set(states)).toEqual(new Set(["open", "half-open", "closed"]));
    expect(collector.points("librarian.breaker.open").at(-1)).toMatchObject({ sum: 0 });
  });

  it("records no query, no answer, and no id that a model made up", async () => {
    const router = routerWith({
      desk: async () => ({ answer: "the answer", delegate: { to: "made-up-id" } }),
    });
    telemetry.recordMetrics(router);

    await router.ask(query);
    await telemetry.flush();

    const reported = JSON.stringify(
      collector.received.filter(({ path }) => path === "/v1/metrics").map(({ body }) => body),
    );
    expect(reported).toContain("librarian.hops.refused");
    for (const word of [query, "the answer", "made-up-id"]) expect(reported).not.toContain(word);
  });

  it("sends no metrics before anything asks for them", async () => {
    await routerWith({ docs: async () => ({ answer: "ok" }) }).ask(query);

    await telemetry.flush();

    expect(collector.received.map(({ path }) => path)).toEqual(["/v1/traces"]);
  });

  it("stops on request and on shutdown: the router then has no listener left", async () => {
    let listeners = 0;
    const router = routerWith({ docs: async () => ({ answer: "ok" }) });
    const counting: Pick<Router, "on"> = {
      on(name, listener) {
        listeners++;
        const off = router.on(name, listener);
        return () => {
          listeners--;
          off();
        };
      },
    };

    const stop = telemetry.recordMetrics(counting);
    expect(listeners).toBeGreaterThan(0);
    stop();
    expect(listeners).toBe(0);

    telemetry.recordMetrics(counting);
    telemetry.recordMetrics(counting);
    await telemetry.shutdown();
    expect(listeners).toBe(0);
  });

  it("throws TypeError for an argument that is not a router, or a wrong option", () => {
    expect(() => telemetry.recordMetrics({} as never)).toThrow(TypeError);
    expect(() => telemetry.recordMetrics(undefined as never)).toThrow(/router/);
    expect(() => telemetry.recordMetrics(createRouter(), { workflowName: 7 as never })).toThrow(
      /workflowName.*7/,
    );
    expect(() => telemetry.recordMetrics(createRouter(), { name: "x" } as never)).toThrow(/"name"/);
  });
});

import { createRouter, type UnavailableDelegate } from "@constellation/core";
import { scriptedAI, testContext } from "@constellation/testing";
import { describe, expect, it, vi } from "vitest";
import { createTriageLibrarian } from "./triage-librarian.js";

const docs = { id: "docs", description: "Runbooks: certificates, backups, releases." };
const cluster = {
  id: "k8s",
  description: "Reads the cluster: pods that are pending, crash or restart.",
};
const k8s: UnavailableDelegate = { ...cluster, reason: "down" };

function ask(query: string, context = {}) {
  const { librarian } = createTriageLibrarian();
  const given = { availableDelegates: [docs], unavailableDelegates: [k8s], ...context };
  return librarian(query, testContext(given));
}

describe("triage, when the librarian that is needed is not available", () => {
  it("names it, and that it is down", async () => {
    const { error, delegate, metadata } = await ask("which pods crash?");

    expect(delegate).toBeUndefined();
    expect(error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: "The librarian that answers this, k8s, is down.",
      details: { reason: "delegate-unavailable", unavailable: ["k8s"] },
    });
    expect(metadata?.triage).toMatchObject({ unavailable: ["k8s"] });
  });

  it("says when an open breaker lets a call through", async () => {
    const open = { ...k8s, reason: "circuit-open", retryAfterMs: 9_000 };
    const { error } = await ask("which pods crash?", { unavailableDelegates: [open] });

    expect(error?.message).toContain("failed too often");
    expect(error?.suggestion).toContain("in 9000 ms");
    expect(error?.details).toMatchObject({ retryAfterMs: 9_000 });
  });

  it("says the same where a model decides for no librarian", async () => {
    const analysis = {
      ...{ intent: "i", domains: ["pods"], complexity: "simple", isMultiDomain: false },
      ...{
        urgency: "normal",
        suggestedLibrarians: [],
        keywords: ["pods"],
        analysisConfidence: 0.9,
      },
    };
    const decision = {
      ...{ strategy: "none", targets: [], refinedQueries: [], reasoning: "no one fits" },
      expectedImprovement: 0,
    };
    const ai = scriptedAI([{ value: analysis }, { value: decision }]);

    expect((await ask("which pods crash?", { ai })).error?.code).toBe("SERVICE_UNAVAILABLE");
  });

  it("asks the available one that fits, and reports the other", async () => {
    const other = { id: "nodes", description: "Knows nodes of the cluster and pods that crash." };
    const { delegate, metadata } = await ask("which pods of the cluster crash or restart?", {
      availableDelegates: [docs, other],
    });

    expect(delegate).toMatchObject({ to: "nodes" });
    expect(metadata?.triage).toMatchObject({ unavailable: ["k8s"] });
  });

  it("says nothing of it where it is not the one", async () => {
    const found = await ask("how are backups and certificates renewed?");
    const refused = await ask("what is a sonnet?");

    expect(found.delegate).toMatchObject({ to: "docs" });
    expect(found.metadata?.triage).not.toHaveProperty("unavailable");
    expect(refused.error?.code).toBe("NOT_FOUND");
  });

  it("does so in a router whose breaker is open, and its own breaker stays closed", async () => {
    vi.useFakeTimers({ toFake: ["performance", "Date"] });
    const breaker = { minCalls: 2, openMs: 60_000 };
    const router = createRouter({ entry: "triage", breaker });
    router.register(createTriageLibrarian());
    router.register({ ...docs, librarian: async () => ({ answer: "ok" }) });
    router.register({ ...cluster, librarian: () => Promise.reject(new Error("lost")) });

    const codes: unknown[] = [];
    for (let call = 0; call < 5; call++) {
      codes.push((await router.ask("which pods crash?")).error?.details?.reason);
    }

    const unavailable = Array.from({ length: 3 }, () => "delegate-unavailable");
    expect(codes).toEqual(["threw", "threw", ...unavailable]);
    expect(await router.health()).toMatchObject({
      k8s: { status: "down", breaker: "open" },
      triage: { breaker: "closed" },
    });
    expect((await router.ask("how are backups and certificates renewed?")).answer).toBe("ok");
  });
});

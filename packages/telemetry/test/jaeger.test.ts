import { createRouter, type Librarian, type Router } from "@constellation/core";
import { startTelemetry, type Telemetry } from "@constellation/telemetry";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { treeOfRecord, treesOfSpans } from "../../core/test/span-tree.js";
import { type Jaeger, jaegerBinary, startJaeger } from "./jaeger.js";

if (jaegerBinary === undefined) {
  console.warn("Skipped: JAEGER_BIN names no Jaeger 2 binary, so no trace is read back from one.");
}

/** Depth, a fan-out in a fan-out, a question in between, failures, refusals, and one that is late. */
function busyRouter(name: string): Router {
  const router = createRouter({ name, entry: "desk" });
  const several = (...ids: readonly string[]) => ids.map((to) => ({ to }));
  const librarians: Readonly<Record<string, Librarian>> = {
    desk: async () => ({ delegate: { to: "triage" } }),
    triage: async () => ({ delegate: several("k8s", "team", "broken", "loops", "nobody", "late") }),
    k8s: async () => ({ answer: "OOMKilled", confidence: 0.9, sources: [{ name: "pods" }] }),
    team: async () => ({ delegate: several("docs", "asks", "empty"), merge: "best-confidence" }),
    docs: async () => ({ answer: "Raise the limit.", confidence: 0.7 }),
    asks: async (query, mesh) => ({
      answer: `They say: ${(await mesh?.ask?.(query, { to: "docs" }))?.answer}`,
      confidence: 0.4,
    }),
    empty: async () => ({ error: { code: "NOT_FOUND", message: "Nothing." } }),
    broken: () => Promise.reject(new Error("down")),
    loops: async () => ({ delegate: { to: "desk" } }),
  };
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: id, librarian });
  }
  const hangs = () => new Promise<never>(() => {});
  router.register({ id: "late", description: "late", timeoutMs: 50, librarian: hangs });
  return router;
}

describe.skipIf(jaegerBinary === undefined)(
  "a run in Jaeger (skipped where JAEGER_BIN names no Jaeger 2 binary)",
  () => {
    let jaeger: Jaeger;
    let telemetry: Telemetry | undefined;

    beforeAll(async () => {
      jaeger = await startJaeger(jaegerBinary ?? "");
    }, 30_000);
    afterEach(async () => {
      await telemetry?.shutdown();
      telemetry = undefined;
    });
    afterAll(() => jaeger?.close());

    it("returns the tree of hops of the run record", async () => {
      telemetry = await startTelemetry({ serviceName: "busy", endpoint: jaeger.collectorUrl });

      const run = busyRouter("busy").start("how?");
      await run.response;
      expect(await telemetry.flush()).toBe(true);

      const [traceId = "", ...others] = await vi.waitFor(async () => {
        const found = await jaeger.traceIds("busy");
        expect(found).not.toEqual([]);
        return found;
      }, 20_000);
      const trees = treesOfSpans(await jaeger.spans(traceId));
      expect(others).toEqual([]);
      expect(trees).toEqual([treeOfRecord(run.explain())]);
      expect(deepest(trees[0]?.hops)).toBe(5);
      expect(run.explain().hops.map(({ outcome }) => outcome)).toEqual(
        expect.arrayContaining(["answer", "delegate", "error", "refused"]),
      );
    });

    it("keeps runs apart that continued at once, a trace each", async () => {
      telemetry = await startTelemetry({ serviceName: "crowd", endpoint: jaeger.collectorUrl });
      const router = busyRouter("crowd");

      const runs = Array.from({ length: 10 }, () => router.start("how?"));
      await Promise.all(runs.map(({ response }) => response));
      expect(await telemetry.flush()).toBe(true);

      const traceIds = await vi.waitFor(async () => {
        const found = await jaeger.traceIds("crowd");
        expect(found).toHaveLength(runs.length);
        return found;
      }, 20_000);
      const spans = await Promise.all(traceIds.map((traceId) => jaeger.spans(traceId)));
      const trees = new Map(spans.flatMap(treesOfSpans).map((tree) => [tree.runId, tree]));
      for (const run of runs) expect(trees.get(run.id)).toEqual(treeOfRecord(run.explain()));
    });
  },
);

interface WithChildren {
  readonly children: readonly WithChildren[];
}

function deepest(hops: readonly WithChildren[] = []): number {
  return hops.length === 0 ? 0 : 1 + Math.max(...hops.map(({ children }) => deepest(children)));
}

import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createRouter } from "./create-router.js";

function collectGarbage(): void {
  if (globalThis.gc === undefined)
    throw new Error("Run with --expose-gc, as vitest.config.ts does.");
  globalThis.gc();
}

function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
}

describe("a router over a long life", () => {
  it("leaves no listener, no timer and a flat heap after 50,000 runs on one signal", async () => {
    const timersBefore = activeTimers(); // the test runner has its own
    const caller = new AbortController();
    const router = createRouter();
    router.register({
      id: "desk",
      description: "delegates",
      librarian: async (_query, context) => {
        if (context?.signal?.aborted) throw new Error("aborted");
        return { delegate: { to: "docs" } };
      },
    });
    router.register({
      id: "docs",
      description: "answers",
      librarian: async () => ({ answer: "ok" }),
    });
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on("warning", warn);

    async function ask(times: number): Promise<number> {
      const inFlight = 100;
      for (let done = 0; done < times; done += inFlight) {
        await Promise.all(
          Array.from({ length: inFlight }, () =>
            router.ask("q", { to: "desk", signal: caller.signal }),
          ),
        );
      }
      collectGarbage();
      return process.memoryUsage().heapUsed;
    }
    await ask(5_000);
    const before = await ask(5_000);
    const after = await ask(40_000);
    process.off("warning", warn);

    expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
    expect(activeTimers()).toBe(timersBefore);
    expect((after - before) / 40_000, "bytes kept per run").toBeLessThan(20);
    expect(warnings).toEqual([]);
  });

  it("keeps its deadline 200 times of 200 when garbage is collected before it", async () => {
    const router = createRouter({ timeoutMs: 30 });
    router.register({
      id: "deaf",
      description: "waits for its signal and nothing else",
      librarian: (_query, context) =>
        new Promise((_resolve, reject) => {
          const { signal } = context ?? {};
          signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
        }),
    });
    const caller = new AbortController();
    let observed = 0;
    router.on("hop:end", () => {
      observed++;
    });

    const responses = Array.from({ length: 200 }, () => router.ask("q", { signal: caller.signal }));
    collectGarbage();
    const reasons = (await Promise.all(responses)).map(({ error }) => error?.details?.reason);

    expect(reasons.filter((reason) => reason === "deadline")).toHaveLength(200);
    expect(observed).toBe(200);
  });
});

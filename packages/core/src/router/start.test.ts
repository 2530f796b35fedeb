import { describe, expect, it } from "vitest";
import type { LibrarianDefinition } from "../contract/definition.js";
import { createRouter } from "./create-router.js";
import type { RouterOptions } from "./run/router-options.js";

const never = () => new Promise<never>(() => undefined);

function routerWith(start: LibrarianDefinition["start"], options: RouterOptions = {}) {
  const router = createRouter({ entry: "slow", ...options });
  router.register({
    id: "slow",
    description: "starts slowly",
    librarian: async () => ({ answer: "ok" }),
    start,
  });
  return router;
}

describe("a librarian that starts with the first question", () => {
  it("is waited for by every question, and started once", async () => {
    let attempts = 0;
    let finish = () => {};
    const router = routerWith(() => {
      attempts++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });

    const waiting = [router.ask("one"), router.ask("two")];
    await new Promise(setImmediate);
    finish();

    expect(await Promise.all(waiting)).toEqual([{ answer: "ok" }, { answer: "ok" }]);
    expect(attempts).toBe(1);
  });

  it("continues when the time of the question is up, and the error names it and what to do", async () => {
    let attempts = 0;
    let finish = () => {};
    const router = routerWith(() => {
      attempts++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    });

    const early = await router.ask("q", { timeoutMs: 20 });
    const later = router.ask("q");
    await new Promise(setImmediate);
    finish();

    expect(early.error).toMatchObject({
      code: "TIMEOUT",
      librarian: "slow",
      message: 'Librarian "slow" was still starting when the time was up.',
      suggestion: expect.stringContaining("router.open()"),
      details: { reason: "deadline" },
    });
    expect(await later).toEqual({ answer: "ok" });
    expect(attempts).toBe(1);
  });

  it("is tried anew once an attempt has taken too long, whose signal aborts", async () => {
    let attempts = 0;
    let ended: AbortSignal | undefined;
    const router = routerWith(
      (signal) => {
        attempts++;
        ended ??= signal;
        return attempts === 1 ? never() : Promise.resolve();
      },
      { startTimeoutMs: 20 },
    );

    const first = await router.ask("q", { timeoutMs: 40 });
    const second = await router.ask("q");

    expect(first.error?.code).toBe("TIMEOUT");
    expect(ended?.aborted).toBe(true);
    expect(second).toEqual({ answer: "ok" });
  });

  it("is not waited for once the caller has left", async () => {
    const run = routerWith(never).start("q");
    run.cancel("gone");

    expect((await run.response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });
});

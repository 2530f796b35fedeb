import type { Librarian } from "@constellation/core";
import { expect, it } from "vitest";
import { type SuiteMesh, untilPresent } from "./suite-mesh.js";

/** Guards, deadlines and cancels hold in the other process. */
export function itKeepsLimits(mesh: SuiteMesh): void {
  it("detects a loop through three processes, and calls each librarian once", async () => {
    const calls: string[] = [];
    const passesTo =
      (id: string, to: string): Librarian =>
      async () => {
        calls.push(id);
        return { delegate: { to } };
      };
    const { router } = await mesh.start({ a: passesTo("a", "b") });
    const second = await mesh.start({ b: passesTo("b", "c") });
    const third = await mesh.start({ c: passesTo("c", "a") });
    await untilPresent(router, "b");
    await untilPresent(second.router, "c");
    await untilPresent(third.router, "a");

    const { error } = await router.ask("who knows?", { to: "a" });

    expect(error).toMatchObject({
      code: "LOOP_DETECTED",
      details: { path: ["a", "b", "c", "a"].map((id) => `${mesh.name}/${id}`) },
    });
    expect(calls).toEqual(["a", "b", "c"]);
  });

  it("ends in the other process no later than in this one, and names what ignored that", async () => {
    let remaining = Number.POSITIVE_INFINITY;
    let release = () => {};
    await mesh.start({
      stubborn: (_query, context) => {
        remaining = context?.remainingMs?.() ?? remaining;
        return new Promise((resolve) => {
          release = () => resolve({ answer: "late" });
        });
      },
    });
    const { router } = await mesh.start({});
    await untilPresent(router, "stubborn");

    const run = router.start("q", { to: "stubborn", timeoutMs: 1_500 });
    const { error } = await run.response;

    expect(error?.code).toBe("TIMEOUT");
    expect(remaining).toBeLessThan(1_500);
    // On a busy machine the report comes after the response.
    await expect
      .poll(() => run.explain().hops[0]?.remoteUnsettled, { timeout: 20_000 })
      .toMatchObject([{ librarian: "stubborn", mesh: mesh.name }]);
    release();
  });

  it("names what ignored its cancel two processes away", async () => {
    let hasBegun = false;
    let release = () => {};
    await mesh.start({
      stubborn: () => {
        hasBegun = true;
        return new Promise((resolve) => {
          release = () => resolve({ answer: "late" });
        });
      },
    });
    const between = await mesh.start({ desk: async () => ({ delegate: { to: "stubborn" } }) });
    await untilPresent(between.router, "stubborn");
    const { router } = await mesh.start({});
    await untilPresent(router, "desk");

    // On a busy machine the call may take longer than the first deadline to come so far.
    let run = router.start("q", { to: "desk", timeoutMs: 2_000 });
    for (const timeoutMs of [4_000, 16_000]) {
      await run.response;
      if (!hasBegun) run = router.start("q", { to: "desk", timeoutMs });
    }
    const { error } = await run.response;

    expect(error?.code).toBe("TIMEOUT");
    await expect
      .poll(() => run.explain().hops[0]?.remoteUnsettled, { timeout: 20_000 })
      .toMatchObject([{ librarian: "stubborn", mesh: mesh.name }]);
    release();
  });

  it("names what ignored a cancel of the caller two processes away", async () => {
    let begun = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    let release = () => {};
    await mesh.start({
      stubborn: () => {
        begun();
        return new Promise((resolve) => {
          release = () => resolve({ answer: "late" });
        });
      },
    });
    const between = await mesh.start({
      desk: async (query, context) =>
        (await context?.ask?.(query, { to: "stubborn" })) ?? { answer: "not asked" },
    });
    await untilPresent(between.router, "stubborn");
    const { router } = await mesh.start({});
    await untilPresent(router, "desk");

    const run = router.start("q", { to: "desk" });
    await working;
    run.cancel();

    expect((await run.response).error?.details?.reason).toBe("cancelled");
    await expect
      .poll(() => run.explain().hops[0]?.remoteUnsettled, { timeout: 20_000 })
      .toMatchObject([{ librarian: "stubborn", mesh: mesh.name }]);
    release();
  });

  it("cancels in the other process when the caller cancels", async () => {
    let begun = () => {};
    const working = new Promise<void>((resolve) => (begun = resolve));
    let stopped = () => {};
    const cancelled = new Promise<void>((resolve) => (stopped = resolve));
    await mesh.start({
      slow: (_query, context) =>
        new Promise((resolve) => {
          context?.signal?.addEventListener("abort", () => {
            stopped();
            resolve({ answer: "stopped" });
          });
          begun();
        }),
    });
    const { router } = await mesh.start({});
    await untilPresent(router, "slow");

    const run = router.start("q", { to: "slow" });
    await working;
    run.cancel();

    expect((await run.response).error?.details?.reason).toBe("cancelled");
    await cancelled;
  });
}

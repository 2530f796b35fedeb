import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.js";

const options = { failureShare: 0.5, minCalls: 4, windowMs: 1_000, openMs: 500, probes: 2 };

/** One call that begins now, and ends so. */
function call(breaker: CircuitBreaker, now: number, outcome: "success" | "failure" | "cancelled") {
  const permit = breaker.enter(now);
  if (permit !== undefined) breaker.settle(permit, outcome, now);
  return permit !== undefined;
}

describe("CircuitBreaker", () => {
  it("opens at the share of failures, once there were enough calls in the window", () => {
    const breaker = new CircuitBreaker(options);
    for (const outcome of ["failure", "failure", "failure"] as const) call(breaker, 0, outcome);
    expect(breaker.state).toBe("closed");
    call(breaker, 1_100, "failure"); // the others are out of the window
    for (const outcome of ["success", "success"] as const) call(breaker, 1_100, outcome);
    call(breaker, 1_100, "failure");

    expect(breaker.state).toBe("open");
    expect([call(breaker, 1_599, "success"), call(breaker, 1_600, "success")]).toEqual([
      false,
      true,
    ]);
    expect(breaker.state).toBe("half-open");
    call(breaker, 1_600, "success");
    expect(breaker.state).toBe("closed");
  });

  it("lets as many probes through as it needs, and releases the place of one that was cancelled", () => {
    const breaker = new CircuitBreaker(options);
    for (let count = 0; count < 4; count++) call(breaker, 0, "failure");
    const probes = [breaker.enter(500), breaker.enter(500), breaker.enter(500)];
    expect(probes.map((each) => each !== undefined)).toEqual([true, true, false]);
    if (probes[0] !== undefined) breaker.settle(probes[0], "cancelled", 500);

    expect(breaker.enter(500)).toBeDefined();
    if (probes[1] !== undefined) breaker.settle(probes[1], "failure", 500);
    expect(breaker.state).toBe("open");
  });

  it("does not count what began before its last change of state", () => {
    const breaker = new CircuitBreaker(options);
    const old = Array.from({ length: 8 }, () => breaker.enter(0));
    for (const permit of old.slice(0, 4)) if (permit) breaker.settle(permit, "failure", 0);
    expect(breaker.state).toBe("open");
    breaker.enter(500);
    for (const permit of old.slice(4)) if (permit) breaker.settle(permit, "success", 500);

    expect(breaker.state).toBe("half-open");
  });

  it("follows its definition, whatever happens", () => {
    const step = fc.record({
      afterMs: fc.integer({ min: 0, max: 400 }),
      do: fc.constantFrom(
        "enter" as const,
        "success" as const,
        "failure" as const,
        "cancelled" as const,
      ),
      which: fc.nat({ max: 20 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const breaker = new CircuitBreaker(options);
        const under: NonNullable<ReturnType<CircuitBreaker["enter"]>>[] = [];
        let now = 0;
        let halfOpenEra: number | undefined;
        let probes = 0;
        for (const { afterMs, do: action, which } of steps) {
          now += afterMs;
          const before = breaker.state;
          if (action === "enter") {
            const wasOpen = breaker.isOpen(now);
            const permit = breaker.enter(now);
            if (permit !== undefined) under.push(permit);
            // Open: no one. Closed: everyone. Half-open: not more than the probes it needs.
            if (wasOpen) expect(permit).toBeUndefined();
            if (before === "closed") expect(permit).toBeDefined();
            if (before === "open" && !wasOpen) expect(breaker.state).toBe("half-open");
            if (breaker.state === "half-open" && permit !== undefined) {
              if (permit.era !== halfOpenEra) probes = 0;
              halfOpenEra = permit.era;
              probes++;
            }
          } else {
            const [permit] = under.splice(which % Math.max(1, under.length), 1);
            if (permit === undefined) continue;
            breaker.settle(permit, action, now);
            if (action === "cancelled") {
              expect(breaker.state).toBe(before);
              if (permit.era === halfOpenEra) probes--;
            }
            if (breaker.state === "half-open") expect(probes).toBeLessThanOrEqual(options.probes);
            if (before === "open") expect(breaker.state).toBe("open"); // only time and probes end it
          }
        }
      }),
    );
  });
});

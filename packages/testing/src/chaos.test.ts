import { getEventListeners } from "node:events";
import type { Librarian } from "@constellation/core";
import { createRouter, validateResponse } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chaos } from "./chaos.js";
import { testContext } from "./context.js";
import { createMalformed, malformedKinds } from "./malformed.js";

const fine: Librarian = async () => ({ answer: "fine" });

/** Asks a librarian by way of a router. */
function routed(librarian: Librarian, timeoutMs = 1_000) {
  const router = createRouter({ timeoutMs });
  router.register({ id: "wild", description: "misbehaves", librarian });
  return router.ask("q");
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("chaos.slow", () => {
  it("answers after its time", async () => {
    const response = chaos.slow(50)(fine)("q", testContext());

    await vi.advanceTimersByTimeAsync(50);

    expect(await response).toEqual({ answer: "fine" });
  });

  it("ends with TIMEOUT when its signal aborts, without calling the librarian", async () => {
    const context = testContext();
    const inner = vi.fn(fine);
    const response = chaos.slow(50)(inner)("q", context);

    context.cancel();

    expect((await response).error?.code).toBe("TIMEOUT");
    expect(inner).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("chaos.hanging", () => {
  it("continues when its signal aborts", async () => {
    const context = testContext();
    const settled = vi.fn();
    chaos.hanging()("q", context).then(settled, settled);

    context.cancel();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(settled).not.toHaveBeenCalled();
    expect(getEventListeners(context.signal, "abort")).toHaveLength(0);
  });
});

describe("chaos.cooperative", () => {
  it("rejects with the reason when its signal aborts, and not before", async () => {
    const context = testContext();
    const response = chaos.cooperative()("q", context);

    context.cancel();

    await expect(response).rejects.toBe(context.signal.reason);
    expect(getEventListeners(context.signal, "abort")).toHaveLength(0);
  });
});

describe("chaos.throwing", () => {
  it("rejects with what it was given, or with an error of its own", async () => {
    await expect(chaos.throwing("text")("q")).rejects.toBe("text");
    await expect(chaos.throwing()("q")).rejects.toThrow("chaos: rejected");
  });
});

describe("chaos.throwingAtOnce", () => {
  it("throws instead of returning a promise", () => {
    expect(() => chaos.throwingAtOnce()("q")).toThrow("chaos: thrown");
  });
});

describe("chaos.malformed", () => {
  it.each(malformedKinds)("returns what is not a response: %s", async (kind) => {
    const returned = await Promise.resolve(chaos.malformed(kind)("q")).catch(() => undefined);

    expect(validateResponse(returned).valid).toBe(false);
    expect(validateResponse(createMalformed(kind)).valid).toBe(false);
  });

  it.each(malformedKinds)("CORE-072 becomes INTERNAL_ERROR in a router: %s", async (kind) => {
    expect((await routed(chaos.malformed(kind))).error?.code).toBe("INTERNAL_ERROR");
  });

  it("picks other kinds for other calls, the same ones for the same seed", async () => {
    const run = async (seed: number) => {
      const librarian = chaos.malformed(seed);
      const responses = [];
      for (let call = 0; call < 40; call++)
        responses.push((await routed(librarian)).error?.details);
      return JSON.stringify(responses);
    };

    const first = await run(1);

    expect(await run(1)).toBe(first);
    expect(await run(2)).not.toBe(first);
  });
});

describe("chaos.huge", () => {
  it("answers with the given number of bytes", async () => {
    const { answer = "" } = await chaos.huge(5_000)("q");

    expect(Buffer.byteLength(answer)).toBe(5_000);
  });

  it("is too much for a router from a million characters", async () => {
    expect((await routed(chaos.huge(1_000_000))).error).toBeUndefined();
    expect((await routed(chaos.huge(1_000_001))).error?.code).toBe("INTERNAL_ERROR");
  });
});

describe("chaos.flaky", () => {
  const outcomes = async (librarian: Librarian, calls = 200) => {
    const failed: boolean[] = [];
    for (let call = 0; call < calls; call++) {
      failed.push((await librarian("q")).error?.code === "SERVICE_UNAVAILABLE");
    }
    return failed;
  };

  it("fails the given share of calls, the same ones for the same seed", async () => {
    const first = await outcomes(chaos.flaky({ seed: 3, share: 0.25 })(fine));

    expect(await outcomes(chaos.flaky({ seed: 3, share: 0.25 })(fine))).toEqual(first);
    expect(first.filter(Boolean).length).toBeGreaterThan(25);
    expect(first.filter(Boolean).length).toBeLessThan(75);
  });

  it("never fails at 0 and always at 1", async () => {
    expect(await outcomes(chaos.flaky({ seed: 1, share: 0 })(fine), 20)).not.toContain(true);
    expect(await outcomes(chaos.flaky({ seed: 1, share: 1 })(fine), 20)).not.toContain(false);
  });

  it("fails as it is asked to", async () => {
    const librarian = chaos.flaky({ seed: 1, share: 1, failing: chaos.throwing("no") })(fine);

    await expect(librarian("q")).rejects.toBe("no");
  });

  it.each([-0.1, 1.1, Number.NaN])("refuses a share of %d", (share) => {
    expect(() => chaos.flaky({ seed: 1, share })).toThrow(RangeError);
  });
});

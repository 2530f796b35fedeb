import { getEventListeners } from "node:events";
import { contextSchema } from "@constellation/authoring/schemas";
import type { Context, Librarian } from "@constellation/core";
import { createRouter, MeshError } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chaos } from "./chaos.js";
import { testContext } from "./context.js";

/** Hands a context to a librarian: the kit's, or that of a router's hop. */
type InContext = (use: (context: Context) => Promise<void>) => Promise<void>;

const helper: Librarian = async (query, context) => ({
  answer: `${query} ${JSON.stringify(context?.metadata)} ${context?.delegationChain?.join()}`,
});

const contexts: Record<string, InContext> = {
  testContext: (use) =>
    use(
      testContext({
        librarian: { id: "caller" },
        deadline: Date.now() + 30_000,
        answers: { helper, wild: chaos.throwing() },
      }),
    ),
  "the context of a router": async (use) => {
    const router = createRouter();
    let problem: unknown;
    router.register({
      id: "caller",
      description: "is being tested",
      librarian: async (_query, context) => {
        try {
          await use(context);
        } catch (thrown) {
          problem = thrown;
        }
        return { answer: "used" };
      },
    });
    router.register({ id: "helper", description: "helps", librarian: helper });
    router.register({ id: "wild", description: "throws", librarian: chaos.throwing() });
    await router.ask("q", { to: "caller" });
    if (problem !== undefined) throw problem;
  },
};

describe.each(Object.entries(contexts))("%s", (_name, inContext) => {
  it("CORE-018 throws when it is written to", () =>
    inContext(async (context) => {
      expect(() => Object.assign(context, { depth: 9 })).toThrow(TypeError);
      expect(() => Object.assign(context, { extra: 9 })).toThrow(TypeError);
    }));

  it("passes the schema of a context, and spreads into all of its fields", () =>
    inContext(async (context) => {
      const copy = { ...context };

      expect(contextSchema.safeParse(copy)).toMatchObject({ success: true });
      const names = Object.keys(copy).filter((name) => name !== "thread"); // none is in one
      expect(names.sort()).toEqual(
        [
          ...[
            "librarian",
            "user",
            "trace",
            "delegationChain",
            "callPath",
            "ai",
            "availableDelegates",
            "unavailableDelegates",
          ],
          ...["metadata", "signal", "deadline", "remainingMs", "requestId", "originalQuery"],
          ...["withinBudget", "depth", "openRemoteCall", "ask", "probe", "report", "observed"],
          ...["idempotencyKey", "step", "approve", "askUser", "waitFor"],
        ].sort(),
      );
    }));

  it("says that it is the first hop, with time left", () =>
    inContext(async ({ delegationChain, depth, signal, remainingMs }) => {
      expect(delegationChain).toEqual([]);
      expect(depth).toBe(0);
      expect(signal?.aborted).toBe(false);
      expect(remainingMs?.()).toBeGreaterThan(0);
    }));

  it("asks another librarian, with what was added to the metadata and the path", () =>
    inContext(async (context) => {
      const response = await context.ask?.("help", { to: "helper", context: { why: 1 } });

      expect(response?.answer).toBe('help {"why":1} caller');
    }));

  it("CORE-079 answers DELEGATION_FAILED for a librarian that is not there", () =>
    inContext(async (context) => {
      const response = await context.ask?.("help", { to: "nobody" });

      expect(response?.error).toMatchObject({
        code: "DELEGATION_FAILED",
        details: { reason: "unknown-librarian" },
      });
    }));

  it("answers INTERNAL_ERROR for a librarian that throws, without its text", () =>
    inContext(async (context) => {
      const response = await context.ask?.("help", { to: "wild" });

      expect(response?.error).toMatchObject({ code: "INTERNAL_ERROR", librarian: "wild" });
      expect(response?.error?.message).not.toContain("chaos");
    }));

  it("answers INVALID_QUERY when it is asked a blank query", () =>
    inContext(async (context) => {
      const response = await context.ask?.(" ", { to: "helper" });

      expect(response?.error?.code).toBe("INVALID_QUERY");
    }));

  it.each([
    ["no options", undefined],
    ["no id", { to: "" }],
    ["an unknown key", { to: "helper", whom: "me" }],
    ["context that is not an object", { to: "helper", context: "why" }],
  ])("throws TypeError at once for %s", (_case, options) =>
    inContext(async (context) => {
      expect(() => context.ask?.("help", options as never)).toThrow(TypeError);
    }),
  );

  it("throws RangeError at once for no time", () =>
    inContext(async (context) => {
      expect(() => context.ask?.("help", { to: "helper", timeoutMs: 0 })).toThrow(RangeError);
    }));
});

describe("testContext", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("takes any field of a context instead of its own", () => {
    const user = { id: "u1" };

    const context = testContext({ user, depth: 3, metadata: { a: 1 } });

    expect(context).toMatchObject({ user, depth: 3, metadata: { a: 1 }, requestId: "test-run" });
  });

  it("has neither a model nor anybody to delegate to", () => {
    const { ai, availableDelegates } = testContext();

    expect(ai).toBeUndefined();
    expect(availableDelegates).toEqual([]);
  });

  it("records what is asked and what is reported", async () => {
    const context = testContext({ answers: { docs: { answer: "yes" } } });

    const response = await context.ask("is it?", { to: "docs" });
    context.report("reading");
    context.report({ text: "yes" });

    expect(response).toEqual({ answer: "yes" });
    expect(context.asked).toEqual([{ query: "is it?", options: { to: "docs" } }]);
    expect(context.reported).toEqual(["reading", { text: "yes" }]);
  });

  it("forwards what is asked and reported to functions of the test, and records it too", async () => {
    const report = vi.fn();
    const context = testContext({ ask: async () => ({ answer: "mine" }), report });

    expect(await context.ask("is it?", { to: "docs" })).toEqual({ answer: "mine" });
    context.report("reading");

    expect(context.asked).toHaveLength(1);
    expect(report).toHaveBeenCalledWith("reading");
  });

  it("answers INTERNAL_ERROR when a scripted answer is not a response", async () => {
    const context = testContext({ answers: { docs: { answer: "yes", confidence: 5 } } });

    const { error } = await context.ask("is it?", { to: "docs" });

    expect(error).toMatchObject({
      code: "INTERNAL_ERROR",
      details: { reason: "invalid-response" },
    });
  });

  it("aborts its signal when its deadline passes", async () => {
    const { signal, remainingMs } = testContext({ deadline: Date.now() + 50 });
    expect(remainingMs()).toBe(50);

    await vi.advanceTimersByTimeAsync(50);

    expect(remainingMs()).toBe(0);
    expect(signal.reason).toBeInstanceOf(MeshError);
    expect(signal.reason).toMatchObject({ code: "TIMEOUT", reason: "deadline" });
  });

  it("has an aborted signal when its deadline has passed", () => {
    expect(testContext({ deadline: Date.now() }).signal.reason).toMatchObject({
      reason: "deadline",
    });
  });

  it("sets no timer without a deadline", () => {
    testContext();

    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends what it asked when it is cancelled, and lets go of its signal", async () => {
    const context = testContext({ answers: { slow: chaos.hanging() } });
    const response = context.ask("help", { to: "slow" });

    context.cancel();

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
    expect(getEventListeners(context.signal, "abort")).toHaveLength(0);
  });

  it("does not cancel a signal that is not its own", () => {
    const { signal } = new AbortController();
    const context = testContext({ signal });

    expect(() => context.cancel()).toThrow(TypeError);
    expect(context.signal).toBe(signal);
  });
});

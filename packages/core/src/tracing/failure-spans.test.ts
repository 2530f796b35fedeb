import { setImmediate } from "node:timers/promises";
import { createRouter, errorCodes, type Librarian } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type InMemorySpans, keepSpans } from "../../test/in-memory-spans.js";

const never: Librarian = () => new Promise(() => {});
const cooperative: Librarian = (_query, context) =>
  new Promise((_, reject) => {
    context?.signal?.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
  });

describe("the spans of what fails", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    vi.useFakeTimers();
    spans = keepSpans();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await spans.close();
  });

  it("are Error with the code as error.type, and not Error above where it was handled", async () => {
    const router = createRouter({ entry: "desk" });
    router.register({
      id: "desk",
      description: "asks",
      librarian: async (query, context) => {
        const asked = await context?.ask?.(query, { to: "facts" });
        return { answer: asked?.error === undefined ? "known" : "no one knows" };
      },
    });
    router.register({ id: "facts", description: "fails", librarian: () => Promise.reject("no") });

    await router.ask("how?");

    expect(spans.named("invoke_agent facts")).toMatchObject({
      status: "error",
      statusMessage: errorCodes.INTERNAL_ERROR.meaning,
      attributes: {
        "error.type": "INTERNAL_ERROR",
        "librarian.response.kind": "error",
      },
    });
    expect(spans.named("invoke_agent desk").status).toBe("unset");
    expect(spans.named("invoke_workflow constellation").status).toBe("unset");
  });

  it("are unset for a run that waits, which has not failed", async () => {
    const router = createRouter();
    const details = { reason: "waiting" };
    const error = { code: "UNAUTHORIZED", message: "It waits for an approval.", details } as const;
    router.register({ id: "refunds", description: "waits", librarian: async () => ({ error }) });

    await router.ask("refund it");

    for (const name of ["invoke_agent refunds", "invoke_workflow constellation"]) {
      expect(spans.named(name)).toMatchObject({
        status: "unset",
        attributes: expect.not.objectContaining({ "error.type": expect.anything() }),
      });
    }
  });

  it("are Error on the run too when no librarian handled it", async () => {
    const router = createRouter({ entry: "desk" });
    router.register({
      id: "desk",
      description: "delegates",
      librarian: async () => ({ delegate: { to: "facts" } }),
    });
    router.register({ id: "facts", description: "fails", librarian: () => Promise.reject("no") });

    await router.ask("how?");

    expect(spans.named("invoke_agent desk").status).toBe("unset");
    expect(spans.named("invoke_workflow constellation")).toMatchObject({
      status: "error",
      attributes: { "error.type": "INTERNAL_ERROR", "librarian.stop_reason": "failed" },
    });
  });

  it("are unset for an error beside an answer, and error for one beside a delegate", async () => {
    const router = createRouter();
    const error = { code: "DATA_SOURCE_ERROR", message: "half of it was down" } as const;
    const half: Librarian = async () => ({ answer: "half", error });
    const both: Librarian = async () => ({ delegate: { to: "half" }, error });
    router.register({ id: "half", description: "answers half", librarian: half });
    router.register({ id: "both", description: "fails and delegates", librarian: both });

    await router.ask("how?", { to: "half" });
    await router.ask("how?", { to: "both" });

    expect(spans.named("invoke_agent half")).toMatchObject({ status: "unset" });
    expect(spans.named("invoke_agent both")).toMatchObject({
      status: "error",
      attributes: { "librarian.response.kind": "error" },
    });
  });

  it("say of a loop which hop was refused", async () => {
    const router = createRouter({ entry: "ping" });
    router.register({
      id: "ping",
      description: "asks pong",
      librarian: async () => ({ delegate: { to: "pong" } }),
    });
    router.register({
      id: "pong",
      description: "asks ping",
      librarian: async () => ({ delegate: { to: "ping" } }),
    });

    await router.ask("who?");

    const refused = spans.finished().find(({ attributes }) => attributes["librarian.hop.id"] === 3);
    expect(refused).toMatchObject({
      name: "invoke_agent ping",
      parentSpanId: spans.named("invoke_agent pong").spanId,
      status: "error",
      attributes: { "error.type": "LOOP_DETECTED", "librarian.response.kind": "refused" },
    });
  });

  it("say of a path that is too long where it ended", async () => {
    const router = createRouter({ entry: "a", maxDepth: 1 });
    router.register({
      id: "a",
      description: "delegates",
      librarian: async () => ({ delegate: { to: "b" } }),
    });
    router.register({ id: "b", description: "answers", librarian: async () => ({ answer: "ok" }) });

    await router.ask("who?");

    expect(spans.named("invoke_agent b")).toMatchObject({
      status: "error",
      attributes: {
        "error.type": "MAX_DEPTH_EXCEEDED",
        "librarian.error.reason": "depth",
        "librarian.response.kind": "refused",
        "librarian.delegation.depth": 1,
      },
    });
  });

  it("are unset and cancelled when the caller cancels, without an error.type", async () => {
    const router = createRouter();
    router.register({ id: "slow", description: "waits", librarian: cooperative });

    const run = router.start("how?");
    run.cancel();
    await run.response;
    await run.settled;

    for (const name of ["invoke_agent slow", "invoke_workflow constellation"]) {
      const { status, attributes } = spans.named(name);
      expect(status).toBe("unset");
      expect(attributes["librarian.cancelled"]).toBe(true);
      expect(attributes).not.toHaveProperty(["error.type"]);
    }
    expect(spans.named("invoke_workflow constellation").attributes).toMatchObject({
      "librarian.stop_reason": "cancelled",
    });
  });

  it("are Error with TIMEOUT when the deadline passed", async () => {
    const router = createRouter({ timeoutMs: 100 });
    router.register({ id: "slow", description: "waits", librarian: cooperative });

    const response = router.ask("how?");
    await vi.advanceTimersByTimeAsync(100);
    await response;
    await setImmediate();

    for (const name of ["invoke_agent slow", "invoke_workflow constellation"]) {
      expect(spans.named(name)).toMatchObject({
        status: "error",
        attributes: { "error.type": "TIMEOUT", "librarian.error.reason": "deadline" },
      });
    }
    expect(spans.named("invoke_agent slow").attributes).not.toHaveProperty(["librarian.abandoned"]);
  });

  it("say of a librarian that ignores its signal that it was abandoned, and end with its call", async () => {
    const router = createRouter({ timeoutMs: 100 });
    router.register({ id: "deaf", description: "waits", librarian: never });

    const response = router.ask("how?");
    await vi.advanceTimersByTimeAsync(100);
    await response;
    await setImmediate();

    const hop = spans.named("invoke_agent deaf");
    expect(hop.attributes["librarian.abandoned"]).toBe(true);
    expect(hop.endMs - hop.startMs).toBeCloseTo(100, -1);
  });

  it("are ended, every one of them, when a run with many kinds of failure is over", async () => {
    const router = createRouter({ entry: "desk", timeoutMs: 100 });
    const delegate = ["deaf", "slow", "broken", "nobody", "desk"].map((to) => ({ to }));
    router.register({ id: "desk", description: "all", librarian: async () => ({ delegate }) });
    router.register({ id: "deaf", description: "waits", librarian: never });
    router.register({ id: "slow", description: "waits", librarian: cooperative });
    router.register({ id: "broken", description: "fails", librarian: () => Promise.reject("no") });

    const run = router.start("how?");
    await vi.advanceTimersByTimeAsync(100);
    await run.response;
    await setImmediate();

    expect(
      spans
        .finished()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([
      "invoke_agent broken",
      "invoke_agent deaf",
      "invoke_agent desk",
      "invoke_agent desk",
      "invoke_agent nobody",
      "invoke_agent slow",
      "invoke_workflow constellation",
      "merge merge-all",
    ]);
  });
});

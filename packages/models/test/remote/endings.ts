import { createRouter } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { failureOf, type RemoteClientSuiteOptions, usage, useRemote, writer } from "./fixture.js";

/** For what takes a moment, on a machine that may be busy, in milliseconds. */
const patienceMs = 20_000;

/** What a service sends that began to stream, and was then too busy: the words of both protocols. */
const busyStream = {
  garbage:
    'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","code":529,"message":"busy"}}\n\n',
};

/** Registers the tests of how a client of a service retries, and when it ends. */
export function itEndsLikeARemoteClient(options: RemoteClientSuiteOptions): void {
  describe("as a client of a service, it retries, and ends in time", () => {
    const remote = useRemote(options);

    it.each([429, 500, 503, 529])(
      "asks again after status %i, as long as it is asked to wait",
      async (status) => {
        const ai = await remote.serving([{ status, retryAfterMs: 60 }, "ok"]);

        expect((await ai.complete({ prompt: "q", timeoutMs: 5_000 })).text).toBe("ok");

        const [first, second] = remote.server.requests;
        expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(59);
      },
    );

    it.skipIf(options.isIndirect)(
      "asks again when a stream reports before any text that the service is busy",
      async () => {
        const ai = await remote.serving([busyStream, busyStream, "one two"]);
        const pieces: string[] = [];

        const { text, usage: used } = await ai.complete({
          prompt: "q",
          onText: (piece) => pieces.push(piece),
        });

        expect(text).toBe("one two");
        expect(pieces.join("")).toBe("one two");
        expect(used.retries).toBe(2);
      },
    );

    it.skipIf(options.isIndirect)(
      "asks again for such a stream no more often than it may",
      async () => {
        const ai = await remote.serving([busyStream, busyStream, "never"], { maxRetries: 1 });

        const failure = await failureOf(ai.complete({ prompt: "q", onText: () => {} }));

        expect(failure).toMatchObject({ code: "AI_UNAVAILABLE", details: { status: 529 } });
        expect(remote.server.requests).toHaveLength(2);
      },
    );

    it("does not ask again once a stream has written text", async () => {
      const ai = await remote.serving([{ text: "a b c d", cut: "during" }, "never"]);

      await failureOf(ai.complete({ prompt: "q", onText: () => {} }));

      expect(remote.server.requests).toHaveLength(1);
    });

    it("asks again no more often than it may", async () => {
      const busy = { status: 429, retryAfterMs: 1 };
      const ai = await remote.serving([busy, busy, busy, "never"], { maxRetries: 2 });

      expect((await failureOf(ai.complete({ prompt: "q" }))).code).toBe("RATE_LIMITED");

      expect(remote.server.requests).toHaveLength(3);
    });

    it("fails at once when it would have to wait beyond its deadline", async () => {
      const ai = await remote.serving([{ status: 429, retryAfterMs: 30_000 }, "never"]);
      const before = performance.now();

      const failure = await failureOf(ai.complete({ prompt: "q", timeoutMs: 10_000 }));

      expect(failure).toMatchObject({
        code: "RATE_LIMITED",
        details: { status: 429, retryAfterMs: 30_000 },
      });
      expect(performance.now() - before).toBeLessThan(2_000);
      expect(remote.server.requests).toHaveLength(1);
    });

    it("ends at once when it is cancelled while it waits to ask again", async () => {
      const controller = new AbortController();
      const ai = await remote.serving([{ status: 529, retryAfterMs: 20_000 }, "never"]);
      const call = failureOf(ai.complete({ prompt: "q", signal: controller.signal }));
      await vi.waitFor(() => expect(remote.server.requests).toHaveLength(1), patienceMs);
      await vi.waitFor(() => expect(remote.server.busy).toBe(0), patienceMs); // it has its answer

      const before = performance.now();
      controller.abort();

      expect(await call).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      expect(performance.now() - before).toBeLessThan(5_000); // not the 20 s it was asked to wait
    });

    it.each([
      ["a whole reply", false],
      ["a streamed reply", true],
    ])("closes the connection when %s is cancelled", async (_name, isStreamed) => {
      const controller = new AbortController();
      const step = isStreamed
        ? { text: Array.from({ length: 1_000 }, () => "a "), betweenMs: 50, usage }
        : { text: "late", afterMs: Number.POSITIVE_INFINITY };
      const ai = await remote.serving([step]);
      const onText = vi.fn();
      const call = failureOf(
        ai.complete({ prompt: "q", signal: controller.signal, ...(isStreamed && { onText }) }),
      );
      await vi.waitFor(() => expect(remote.server.busy).toBe(1), patienceMs);
      if (isStreamed) await vi.waitFor(() => expect(onText).toHaveBeenCalled(), patienceMs);
      collectGarbage(); // fetch can lose an abort by it

      controller.abort();

      expect(await call).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      await vi.waitFor(() => expect(remote.server.requests[0]?.isClosed).toBe(true), patienceMs);
      expect(remote.server.busy).toBe(0);
    });

    it("keeps what a streamed reply used when it is cancelled", async () => {
      const controller = new AbortController();
      const ai = await remote.serving([{ text: "one two three", betweenMs: 5, usage }]);

      const failure = await failureOf(
        ai.complete({
          prompt: "q",
          signal: controller.signal,
          onText: (text) => text.startsWith("two") && controller.abort(),
        }),
      );

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      expect(failure.details?.usage).toMatchObject({ outputTokens: expect.any(Number) });
    });

    it("keeps what a streamed reply used when time is up", async () => {
      const ai = await remote.serving([{ text: ["one ", "two"], betweenMs: 5_000, usage }]);

      const failure = await failureOf(
        ai.complete({ prompt: "q", timeoutMs: 600, onText: () => {} }),
      );

      expect(failure).toMatchObject({ code: "TIMEOUT", reason: "deadline" });
      expect(failure.details?.usage).toMatchObject({ inputTokens: expect.any(Number) });
    });

    it("closes the connection of a cancelled run, which then settles", async () => {
      const ai = await remote.serving([{ afterMs: Number.POSITIVE_INFINITY }]);
      const router = createRouter({ ai });
      router.register({ id: "writer", description: "writes", librarian: writer });
      const run = router.start("write");
      await vi.waitFor(() => expect(remote.server.busy).toBe(1), patienceMs);

      run.cancel();

      expect((await run.response).error).toMatchObject({ code: "TIMEOUT" });
      await run.settled;
      await vi.waitFor(() => expect(remote.server.requests[0]?.isClosed).toBe(true), patienceMs);
    });

    it("gives the model no more time than its hop has", async () => {
      const ai = await remote.serving([{ afterMs: Number.POSITIVE_INFINITY }]);
      const router = createRouter({ ai, timeoutMs: 800 });
      router.register({ id: "writer", description: "writes", librarian: writer });

      expect((await router.ask("write")).error?.code).toBe("TIMEOUT");

      await vi.waitFor(() => expect(remote.server.requests[0]?.isClosed).toBe(true), patienceMs);
    });

    it("gives nothing more to a listener once it is cancelled", async () => {
      const controller = new AbortController();
      const pieces: string[] = [];
      const ai = await remote.serving(["one two three"]);

      await failureOf(
        ai.complete({
          prompt: "q",
          signal: controller.signal,
          onText: (text) => {
            pieces.push(text);
            controller.abort();
          },
        }),
      );
      await vi.waitFor(() => expect(remote.server.busy).toBe(0), patienceMs);

      expect(pieces).toEqual(["one "]);
    });
  });
}

function collectGarbage(): void {
  if (globalThis.gc === undefined)
    throw new Error("Run with --expose-gc, as vitest.config.ts does.");
  globalThis.gc();
}

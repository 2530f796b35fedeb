import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { ModelStep } from "../../src/testing.js";
import { apiKey, failureOf, type RemoteClientSuiteOptions, useRemote } from "./fixture.js";

/** Registers the tests of how a client of a service fails. */
export function itFailsLikeARemoteClient(options: RemoteClientSuiteOptions): void {
  describe("as a client of a service, it fails without a secret", () => {
    const remote = useRemote(options);

    it.each<readonly [string, ModelStep, boolean]>([
      ["cut before it", { cut: "before" }, false],
      ["cut in the middle of it", { text: "a b c d", cut: "during" }, false],
      ["cut in the middle of its stream", { text: "a b c d", cut: "during" }, true],
      ["no JSON", { garbage: "<html>" }, false],
      ["another JSON", { garbage: '{"a":1}' }, false],
      ["null", { garbage: "null" }, false],
      ["empty", { garbage: "" }, false],
      ["a stream without events", { garbage: "" }, true],
      ["a stream of garbage", { garbage: "event: message_start\ndata: {oops\n\n" }, true],
      ["a stream of other events", { garbage: 'event: x\ndata: {"type":"x"}\n\n' }, true],
    ])("rejects with AI_UNAVAILABLE when the reply is %s", async (_name, step, isStreamed) => {
      const ai = await remote.serving([step], { maxRetries: 0 });

      const failure = await failureOf(
        ai.complete({ prompt: "q", ...(isStreamed && { onText: () => {} }) }),
      );

      expect(failure.code).toBe("AI_UNAVAILABLE");
    });

    it.each([
      ["a reply", false],
      ["a stream", true],
    ])(
      "rejects with AI_UNAVAILABLE when %s has more bytes than it may, and reads no more of it",
      async (_name, isStreamed) => {
        const pieces = Array.from({ length: 400 }, () => "x".repeat(1_000));
        const ai = await remote.serving([{ text: pieces, betweenMs: 1 }], {
          maxReplyBytes: 20_000,
        });
        const onText = vi.fn();

        const failure = await failureOf(
          ai.complete({ prompt: "q", ...(isStreamed && { onText }) }),
        );

        expect(failure).toMatchObject({
          code: "AI_UNAVAILABLE",
          details: { problem: expect.stringContaining("20000 bytes") },
        });
        expect(onText.mock.calls.length).toBeLessThan(20);
      },
    );

    it.each([301, 302, 303, 307, 308])(
      "follows no redirect with status %i: neither the conversation nor the key leaves the host",
      async (status) => {
        const ai = await remote.serving(["never"]);
        const redirect = createServer((_request, response) => {
          response.writeHead(status, { location: `${remote.server.url}/v1/messages` }).end();
        });
        redirect.listen(0, "127.0.0.1");
        await once(redirect, "listening");
        onTestFinished(() => void redirect.close());
        const { port } = redirect.address() as AddressInfo; // it listens on a port
        const redirected = options.create({
          baseURL: `http://127.0.0.1:${port}`,
          model: "large",
          apiKey,
          maxRetries: 0,
          timeoutMs: 60_000,
        });

        for (const onText of [undefined, () => {}]) {
          const request = { prompt: "secret", ...(onText && { onText }) };
          expect(await failureOf(redirected.complete(request))).toMatchObject({
            code: "AI_UNAVAILABLE",
            details: { status },
          });
        }

        expect(remote.server.requests).toHaveLength(0);
        expect(ai.model).toBe("large");
      },
    );

    it("rejects with AI_UNAVAILABLE when no one listens", async () => {
      const ai = await remote.serving([]);
      await remote.server.close();

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      expect(failure).toMatchObject({
        code: "AI_UNAVAILABLE",
        details: { problem: "ECONNREFUSED" },
      });
    });

    it("says that the key is refused, and never what it is", async () => {
      const wrong = "sk-wrong-fedcba9876543210";
      const ai = await remote.serving(["never"], { apiKey: wrong });

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      expect(failure).toMatchObject({ code: "AI_UNAVAILABLE", details: { status: 401 } });
      expect(failure.suggestion).toContain("key");
      expect(remote.server.requests).toHaveLength(1);
      const shown = inspect([failure, ai], { depth: 20, showHidden: true });
      expect(shown + JSON.stringify(failure.toInfo()) + String(failure.stack)).not.toContain(wrong);
      expect(JSON.stringify(remote.spans())).not.toContain(wrong);
    });

    it.each([
      ["a refusal of the request", { status: 400, message: `bad ${apiKey} and sk-other-123456` }],
      ["a failure", { status: 500, message: `broke with Bearer ${apiKey}` }],
      ["a rate limit", { status: 429, message: `busy ${apiKey}` }],
      ["a cut connection", { cut: "before" as const }],
      ["garbage", { garbage: `<html>${apiKey}` }],
    ])("holds no key in the error and the span of %s", async (_name, step) => {
      const output = vi.spyOn(process.stdout, "write");
      const errors = vi.spyOn(process.stderr, "write");
      const ai = await remote.serving([step], { maxRetries: 0 });

      const failure = await failureOf(ai.complete({ prompt: "q" }));

      const shown = inspect(failure, { depth: 20, showHidden: true });
      const logged = JSON.stringify([...output.mock.calls, ...errors.mock.calls]);
      expect(
        shown + JSON.stringify(failure.toInfo()) + JSON.stringify(remote.spans()) + logged,
      ).not.toMatch(/0123456789abcdef|sk-other/);
      vi.restoreAllMocks();
    });
  });
}

import { createRouter } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import {
  failureOf,
  model,
  type RemoteClientSuiteOptions,
  usage,
  useRemote,
  writer,
} from "./fixture.js";

/** Registers the tests of what a client of a service traces. */
export function itTracesLikeARemoteClient(options: RemoteClientSuiteOptions): void {
  describe("as a client of a service, it opens one span for a call", () => {
    const remote = useRemote(options);

    it("opens its span below the hop's", async () => {
      const ai = await remote.serving(["ok"]);
      const router = createRouter({ ai });
      router.register({ id: "writer", description: "writes", librarian: writer });

      await router.ask("write");

      const finished = remote.exporter.getFinishedSpans();
      const hop = finished.find(({ name }) => name === "invoke_agent writer");
      const [model, ...others] = finished.filter(
        ({ attributes }) => attributes["gen_ai.operation.name"] === "chat",
      );
      expect(others).toEqual([]);
      expect(model?.parentSpanContext?.spanId).toBe(hop?.spanContext().spanId);
    });

    it("opens exactly one span for a call, retries included", async () => {
      const ai = await remote.serving([
        { status: 529, retryAfterMs: 1 },
        { text: "ok", usage },
      ]);

      await ai.complete({ prompt: "private words" });

      const [span, ...others] = remote.spans();
      expect(others).toEqual([]);
      expect(span).toMatchObject({
        kind: "CLIENT",
        attributes: {
          "gen_ai.operation.name": "chat",
          "gen_ai.request.model": model,
          "gen_ai.response.model": model,
          "gen_ai.usage.output_tokens": 100,
          "http.request.resend_count": 1,
          ...(options.isIndirect !== true && { "server.address": "127.0.0.1" }),
        },
      });
      expect(JSON.stringify(span)).not.toContain("private words");
      expect(remote.server.requests[1]?.headers.traceparent).toContain(span?.traceId);
    });

    it("opens one span for a streamed call, and one for each reply of a tool loop", async () => {
      const ai = await remote.serving(["ok", { toolCalls: [{ name: "none", input: {} }] }, "done"]);

      await ai.complete({ prompt: "q", onText: () => {} });
      expect(remote.spans()).toHaveLength(1);

      await ai.runTools({ prompt: "q", tools: [] });
      expect(remote.spans()).toHaveLength(3);
    });

    it("notes on the hop's span why a reply was not used, of which prompt", async () => {
      const ai = await remote.serving([{ value: { town: "Bergen" } }]);
      const router = createRouter({ ai });
      router.register({
        id: "reader",
        description: "reads",
        librarian: async (query, context) => {
          const schema = z.object({ city: z.string() });
          await context?.ai
            ?.analyze({ prompt: query, promptId: "city", schema })
            .catch(() => undefined);
          return { answer: "without a model" };
        },
      });

      await router.ask("read");

      const hop = remote.exporter
        .getFinishedSpans()
        .find(({ name }) => name === "invoke_agent reader");
      expect(hop?.events).toMatchObject([
        {
          name: "librarian.model.failed",
          attributes: {
            "error.type": "AI_UNAVAILABLE",
            "librarian.ai.problem": expect.stringContaining("city"),
            "librarian.prompt.id": expect.stringMatching(/^city@[0-9a-f]{8}$/),
          },
        },
      ]);
    });

    it("marks the span of a failure and of a timeout as failed, and that of a cancelled call not", async () => {
      const never = { afterMs: Number.POSITIVE_INFINITY };
      const ai = await remote.serving([{ status: 400 }, never, never]);
      const controller = new AbortController();

      await failureOf(ai.complete({ prompt: "q" }));
      await failureOf(ai.complete({ prompt: "q", timeoutMs: 1_000 })); // time to be on the wire
      const cancelled = failureOf(ai.complete({ prompt: "q", signal: controller.signal }));
      await vi.waitFor(() => expect(remote.server.busy).toBeGreaterThan(0), 20_000);
      controller.abort();
      await cancelled;

      await vi.waitFor(() => expect(remote.spans()).toHaveLength(3), 20_000);
      expect(remote.spans().map(({ status }) => status)).toEqual(["ERROR", "ERROR", "UNSET"]);
    });
  });
}

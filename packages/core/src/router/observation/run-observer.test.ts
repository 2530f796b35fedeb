import { trace } from "@opentelemetry/api";
import { BasicTracerProvider, type SpanProcessor } from "@opentelemetry/sdk-trace-base";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createRouter } from "../create-router.js";

const broken = (): never => {
  throw new Error("the exporter is broken");
};

describe("a tracing SDK that throws", () => {
  afterEach(() => {
    trace.disable();
    vi.restoreAllMocks();
  });

  it.each(["onStart", "onEnd"] as const)("in %s changes no response", async (method) => {
    vi.spyOn(process, "emitWarning").mockReturnValue();
    const quiet: SpanProcessor = {
      onStart() {},
      onEnd() {},
      shutdown: async () => {},
      forceFlush: async () => {},
    };
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [{ ...quiet, [method]: broken }] }),
    );
    const router = createRouter({ timeoutMs: 1_000, entry: "desk" });
    const delegates = [{ to: "docs" }, { to: "nobody" }, { to: "throws" }];
    router.register({
      id: "desk",
      description: "asks three",
      librarian: async () => ({ delegate: delegates }),
    });
    router.register({
      id: "docs",
      description: "answers",
      librarian: async () => ({ answer: "ok" }),
    });
    router.register({ id: "throws", description: "throws", librarian: broken });

    const run = router.start("q");

    await expect(run.response).resolves.toMatchObject({ answer: "ok", partial: true });
    await run.settled;
    expect(run.explain().stopReason).toBe("partial");
  });
});

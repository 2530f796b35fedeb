import { createRouter } from "@constellation/core";
import { trace } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type OtlpReceiver, startReceiver } from "../test/otlp-receiver.js";
import { startTelemetry, type Telemetry } from "./telemetry.js";

describe("the times of exported spans", () => {
  let collector: OtlpReceiver;
  let telemetry: Telemetry;

  beforeEach(async () => {
    collector = await startReceiver();
    telemetry = await startTelemetry({ endpoint: collector.url });
  });
  afterEach(async () => {
    await telemetry.shutdown();
    await collector.close();
  });

  it("are in the order of what happened: no child outlives its parent, a merge begins after what it merges", async () => {
    const router = createRouter({ entry: "desk" });
    const delegate = ["one", "two", "three"].map((to) => ({ to }));
    router.register({ id: "desk", description: "asks", librarian: async () => ({ delegate }) });
    for (const { to: id } of delegate) {
      router.register({ id, description: "answers", librarian: async () => ({ answer: id }) });
    }

    for (let run = 0; run < 50; run++) await router.ask("how?");
    await telemetry.flush();

    const spans = collector.spans();
    const byId = new Map(spans.map((span) => [span.spanId, span]));
    const early = spans.filter(({ startMs, endMs, parentSpanId = "" }) => {
      const parent = byId.get(parentSpanId);
      return parent !== undefined && (startMs < parent.startMs || endMs > parent.endMs);
    });
    const merges = spans.filter(({ name }) => name.startsWith("merge "));
    const before = merges.flatMap((merge) =>
      spans.filter(
        ({ parentSpanId, name, endMs }) =>
          parentSpanId === merge.parentSpanId &&
          name.startsWith("invoke_agent ") &&
          endMs >= merge.startMs,
      ),
    );
    expect(merges).toHaveLength(50);
    expect(early).toEqual([]);
    expect(before).toEqual([]);
  });

  it("are those of the system's clock", async () => {
    const before = Date.now();
    trace.getTracer("test").startSpan("now").end();
    const after = Date.now();
    await telemetry.flush();

    const [span] = collector.spans();
    expect(span?.startMs).toBeGreaterThan(before - 20);
    expect(span?.endMs).toBeLessThan(after + 20);
    expect(span?.endMs).toBeGreaterThanOrEqual(span?.startMs ?? Number.POSITIVE_INFINITY);
  });

  it("are those given, where times were given", async () => {
    const tracer = trace.getTracer("test");
    tracer.startSpan("past", { startTime: 1_000_000 }).end(1_000_500);
    const end = Date.now() + 60_000;
    tracer.startActiveSpan("longer", (span) => span.end(end));
    await telemetry.flush();

    const [past, longer] = collector.spans();
    expect([past?.startMs, past?.endMs]).toEqual([1_000_000, 1_000_500]);
    expect(longer?.endMs).toBeCloseTo(end, 2);
  });
});

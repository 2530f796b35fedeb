import { context, SpanKind, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { echo, serveMesh, until } from "./served-mesh.js";

describe("with a tracing SDK", () => {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });

  beforeAll(() => provider.register());
  beforeEach(() => exporter.reset());
  afterAll(async () => {
    await provider.shutdown();
    trace.disable();
    context.disable();
  });

  it.each(["/ask", "/ask/stream"])(
    "%s puts the run below its request, and that below the caller",
    async (path) => {
      const mesh = await serveMesh({ echo });
      const traceId = "0af7651916cd43dd8448eb211c80319c";

      const reply = await mesh.post(
        path,
        { query: "a secret question" },
        { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
      );
      await reply.text();
      await until(() => exporter.getFinishedSpans().length === 3);

      const spans = exporter.getFinishedSpans();
      const request = spans.find(({ kind }) => kind === SpanKind.SERVER);
      const run = spans.find(({ name }) => name.startsWith("invoke_workflow"));
      expect(spans.map((span) => span.spanContext().traceId)).toEqual(Array(3).fill(traceId));
      expect(request).toMatchObject({
        name: `POST ${path}`,
        parentSpanContext: { spanId: "b7ad6b7169203331" },
        attributes: {
          "http.request.method": "POST",
          "http.route": path,
          "http.response.status_code": 200,
        },
      });
      expect(run?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
      expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain("secret");
    },
  );

  it("names the trace to a caller that sent none", async () => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.post("/ask", { query: "hello" });

    await until(() => exporter.getFinishedSpans().length === 3);
    expect(reply.headers.get("x-trace-id")).toBe(
      exporter.getFinishedSpans()[0]?.spanContext().traceId,
    );
  });
});

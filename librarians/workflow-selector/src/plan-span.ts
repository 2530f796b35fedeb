import { type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";

/** Version of the package, on the tracer. A test holds it equal to package.json. */
export const tracerVersion = "0.1.0";
const schemaUrl = "https://opentelemetry.io/schemas/gen-ai/1.42.0";

/** Does work under a span `plan {id}` of operation `plan`. */
export async function inPlanSpan<Result>(
  id: string,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const tracer = trace
    .getTracerProvider()
    .getTracer("@constellation/librarian-workflow-selector", tracerVersion, { schemaUrl });
  const attributes = { "gen_ai.operation.name": "plan", "gen_ai.agent.name": id };
  return tracer.startActiveSpan(
    `plan ${id}`,
    { kind: SpanKind.INTERNAL, attributes },
    async (span) => {
      try {
        return await work(span);
      } catch (thrown) {
        span.setAttribute("error.type", "_OTHER");
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw thrown;
      } finally {
        span.end();
      }
    },
  );
}

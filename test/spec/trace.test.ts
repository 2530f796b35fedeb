import type { Librarian } from "@constellation/core";
import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { answers, meshOf, passesTo, watched } from "./mesh.js";

const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const exporter = new InMemorySpanExporter();

beforeEach(() => {
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterEach(() => {
  exporter.reset();
  trace.disable();
  context.disable();
});

describe("a query with tracing on", () => {
  it("CORE-013 gives each librarian the place of its own hop in the query's trace", async () => {
    const a = watched(passesTo("b"));
    const b = watched(answers("ok"));

    await meshOf({ a: a.librarian, b: b.librarian }).ask("q", { trace: caller });

    for (const [name, { contexts }] of Object.entries({ a, b })) {
      expect(contexts[0]?.trace).toMatchObject({
        traceId: caller.traceId,
        spanId: spanOf(name).spanContext().spanId,
      });
    }
  });

  it("CORE-020 is a child of the trace the caller gives", async () => {
    await meshOf({ a: answers("ok") }).ask("q", { trace: caller });

    const run = exporter.getFinishedSpans().find(({ name }) => name.startsWith("invoke_workflow"));
    expect(run?.spanContext().traceId).toBe(caller.traceId);
    expect(run?.parentSpanContext).toMatchObject({ spanId: caller.spanId, isRemote: true });
  });

  it("CORE-020 has its hops below it: a delegate's below the hop that delegated", async () => {
    await meshOf({ a: passesTo("b", "c"), b: answers("B"), c: passesTo("d"), d: answers("D") }).ask(
      "q",
      { trace: caller },
    );

    const parentOf = (name: string) => spanOf(name).parentSpanContext?.spanId;
    expect(parentOf("b")).toBe(spanOf("a").spanContext().spanId);
    expect(parentOf("c")).toBe(spanOf("a").spanContext().spanId);
    expect(parentOf("d")).toBe(spanOf("c").spanContext().spanId);
    expect(new Set(spans().map((span) => span.spanContext().traceId))).toEqual(
      new Set([caller.traceId]),
    );
  });

  it("CORE-020 has the spans of a librarian's own work below its hop", async () => {
    const working: Librarian = async () => {
      await Promise.resolve();
      trace.getTracer("mine").startSpan("search").end();
      return { answer: "ok" };
    };

    await meshOf({ working }).ask("q", { trace: caller });

    const search = spans().find(({ name }) => name === "search");
    expect(search?.parentSpanContext?.spanId).toBe(spanOf("working").spanContext().spanId);
  });
});

function spans(): readonly ReadableSpan[] {
  return exporter.getFinishedSpans();
}

function spanOf(librarian: string): ReadableSpan {
  const span = spans().find(({ name }) => name === `invoke_agent ${librarian}`);
  if (span === undefined) throw new Error(`No span of ${librarian}.`);
  return span;
}

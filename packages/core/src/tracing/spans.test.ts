import { readFileSync } from "node:fs";
import { type Context, createRouter, formatTraceparent } from "@constellation/core";
import { context as contexts, ProxyTracer, ProxyTracerProvider, trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it, vi } from "vitest";
import { keepSpans } from "../../test/in-memory-spans.js";

function echoRouter(seen: (context?: Context) => void = () => {}) {
  const router = createRouter();
  router.register({
    id: "echo",
    description: "repeats",
    librarian: async (query, context) => {
      seen(context);
      return { answer: query };
    },
  });
  return router;
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the tracer", () => {
  it("has the version of the package and names the conventions it follows", async () => {
    const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    const spans = keepSpans();

    await echoRouter().ask("hello");

    for (const { instrumentationScope } of spans.readable()) {
      expect(instrumentationScope).toEqual({
        name: "@constellation/core",
        version: JSON.parse(manifest).version,
        schemaUrl: "https://opentelemetry.io/schemas/gen-ai/1.42.0",
      });
    }
    await spans.close();
  });

  it("makes no span and enters no context while no SDK is registered", async () => {
    const startSpan = vi.spyOn(ProxyTracer.prototype, "startSpan");
    const within = vi.spyOn(contexts, "with");

    await echoRouter().ask("hello");

    expect(startSpan).not.toHaveBeenCalled();
    expect(within).not.toHaveBeenCalled();
  });

  it("leaves librarians the caller's trace while no SDK is registered", async () => {
    const traceparent = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
    let seen: Context["trace"];

    await echoRouter((context) => {
      seen = context?.trace;
    }).ask("hello", { trace: traceparent });

    expect(seen && formatTraceparent(seen)).toBe(formatTraceparent(traceparent));
  });

  it("is found when the SDK comes after the router, and again after another SDK took its place", async () => {
    const router = echoRouter();
    await router.ask("before");

    const first = keepSpans();
    await router.ask("first");
    await first.close();
    await router.ask("between");
    const second = keepSpans();
    await router.ask("second");

    expect(first.readable()).toHaveLength(0); // closed, so emptied; nothing came later
    expect(second.finished()).toHaveLength(2);
    await second.close();
  });

  it("breaks no query where the provider registered does nothing", async () => {
    trace.setGlobalTracerProvider({ getTracer: () => new ProxyTracerProvider().getTracer("none") });

    await expect(echoRouter().ask("hello")).resolves.toEqual({ answer: "hello" });
    trace.disable();
    expect(trace.getTracerProvider()).toBeInstanceOf(ProxyTracerProvider);
  });
});

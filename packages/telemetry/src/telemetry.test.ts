import { hostname } from "node:os";
import { createRouter, type Librarian, type Router } from "@constellation/core";
import { context, ProxyTracerProvider, propagation, trace } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { treeOfRecord, treesOfSpans } from "../../core/test/span-tree.js";
import { type OtlpReceiver, recordOf, startReceiver } from "../test/otlp-receiver.js";
import { startTelemetry, type Telemetry } from "./telemetry.js";

const ok: Librarian = async () => ({ answer: "ok", confidence: 0.7, sources: [{ name: "a" }] });

/** A mesh with a chain, a fan-out, a question in between, a loop, a failure and a librarian that is deaf. */
function busyRouter(): Router {
  const router = createRouter({ name: "busy", entry: "desk" });
  const delegate = ["docs", "asks", "broken", "loops", "nobody", "deaf"].map((to) => ({ to }));
  const librarians: Readonly<Record<string, Librarian>> = {
    desk: async () => ({ delegate: { to: "triage" } }),
    triage: async () => ({ delegate }),
    docs: ok,
    asks: async (query, mesh) => ({
      answer: `${(await mesh?.ask?.(query, { to: "docs" }))?.answer}`,
    }),
    broken: () => Promise.reject(new Error("down")),
    loops: async () => ({ delegate: { to: "desk" } }),
  };
  router.register({
    id: "deaf",
    description: "waits",
    timeoutMs: 30,
    librarian: () => new Promise(() => {}),
  });
  for (const [id, librarian] of Object.entries(librarians)) {
    router.register({ id, description: id, librarian });
  }
  return router;
}

describe("startTelemetry", () => {
  let collector: OtlpReceiver;
  let telemetry: Telemetry | undefined;
  let warnings: string[];

  beforeEach(async () => {
    collector = await startReceiver();
    warnings = [];
    vi.spyOn(process, "emitWarning").mockImplementation((warning) => {
      warnings.push(String(warning));
    });
  });
  afterEach(async () => {
    await telemetry?.shutdown();
    telemetry = undefined;
    await collector.close();
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it("exports a run from which the same tree can be built as from its record", async () => {
    telemetry = await startTelemetry({ serviceName: "desk", endpoint: collector.url });

    const run = busyRouter().start("how?");
    await run.response;
    const arrived = await telemetry.flush();

    expect(arrived).toBe(true);
    expect(treesOfSpans(collector.spans())).toEqual([treeOfRecord(run.explain())]);
    expect(new Set(collector.spans().map(({ traceId }) => traceId)).size).toBe(1);
    expect(run.explain().hops.filter(({ abandoned }) => abandoned)).toHaveLength(1);
  });

  it("exports many runs at once, each whole", async () => {
    telemetry = await startTelemetry({ endpoint: collector.url });
    const router = busyRouter();

    const runs = Array.from({ length: 60 }, () => router.start("how?"));
    await Promise.all(runs.map(({ response }) => response));
    await telemetry.flush();

    const trees = new Map(treesOfSpans(collector.spans()).map((tree) => [tree.runId, tree]));
    for (const run of runs) expect(trees.get(run.id)).toEqual(treeOfRecord(run.explain()));
    expect(collector.received.length).toBeGreaterThan(1);
  });

  it("identifies the application: name, version, attributes, and those of the environment", async () => {
    vi.stubEnv("OTEL_SERVICE_NAME", "from-environment");
    vi.stubEnv("OTEL_RESOURCE_ATTRIBUTES", "service.version=0,team=mesh");
    telemetry = await startTelemetry({
      serviceName: "desk",
      serviceVersion: "1.2.3",
      resourceAttributes: { "deployment.environment.name": "test" },
      endpoint: collector.url,
    });

    await busyRouter().ask("how?");
    await telemetry.flush();

    const [batch] = collector.received[0]?.body.resourceSpans ?? [];
    expect(recordOf(batch?.resource.attributes ?? [])).toMatchObject({
      "service.name": "desk",
      "service.version": "1.2.3",
      team: "mesh",
      "deployment.environment.name": "test",
      "telemetry.sdk.language": "nodejs",
      "host.name": hostname(),
      "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
  });

  it("reads endpoint, name and headers from the standard variables", async () => {
    vi.stubEnv("OTEL_SERVICE_NAME", "from-environment");
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", `${collector.url}/base/`);
    vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", "x-key=secret%20one,x-other=2");
    vi.stubEnv("OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
    telemetry = await startTelemetry({ headers: { "x-other": "3" } });

    await busyRouter().ask("how?");
    await telemetry.flush();

    const [request] = collector.received;
    const [batch] = request?.body.resourceSpans ?? [];
    expect(telemetry.isExporting).toBe(true);
    expect(request?.path).toBe("/base/v1/traces");
    expect(request?.headers).toMatchObject({
      "x-key": "secret one",
      "x-other": "3",
      "content-type": "application/json",
      "content-encoding": "gzip",
    });
    expect(recordOf(batch?.resource.attributes ?? [])["service.name"]).toBe("from-environment");
  });

  it("takes the endpoint for traces as it is, before the general one", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
    vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", `${collector.url}/own/path?tenant=1`);
    telemetry = await startTelemetry();

    await busyRouter().ask("how?");
    await telemetry.flush();

    expect(collector.received[0]?.path).toBe("/own/path?tenant=1");
  });

  it("traces the configured share, or that of the sampler variable", async () => {
    telemetry = await startTelemetry({ endpoint: collector.url, sampleRatio: 0 });
    await busyRouter().ask("how?");
    await telemetry.shutdown();

    vi.stubEnv("OTEL_TRACES_SAMPLER", "always_off");
    telemetry = await startTelemetry({ endpoint: collector.url });
    await busyRouter().ask("how?");
    await telemetry.flush();

    expect(collector.spans()).toEqual([]);
  });

  it.each([
    ["OTEL_SDK_DISABLED is true", { OTEL_SDK_DISABLED: "true", OTEL_EXPORTER_OTLP_ENDPOINT: "x" }],
    [
      "both exporters are none",
      {
        OTEL_TRACES_EXPORTER: "none",
        OTEL_METRICS_EXPORTER: "none",
        OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
      },
    ],
  ])("does nothing, and reports it, when %s", async (_when, variables) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const listeners = process.listenerCount("SIGTERM");

    telemetry = await startTelemetry({ serviceName: "desk" });

    const stop = telemetry.recordMetrics(createRouter());
    stop();
    expect(telemetry.isExporting).toBe(false);
    expect(await telemetry.flush()).toBe(true);
    expect(process.listenerCount("SIGTERM")).toBe(listeners);
    expect(hasProvider()).toBe(false);
    expect(warnings).toEqual([]);
  });

  it("warns of a variable that is not a URL, and continues without it", async () => {
    vi.stubEnv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "user:hunter2@collector");
    vi.stubEnv("OTEL_METRICS_EXPORTER", "none");

    telemetry = await startTelemetry();

    expect(telemetry.isExporting).toBe(false);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/OTEL_EXPORTER_OTLP_TRACES_ENDPOINT/);
    expect(warnings[0]).not.toContain("hunter2");
  });

  it("throws when it has been started already, and starts again after a shutdown", async () => {
    telemetry = await startTelemetry({ endpoint: collector.url });

    expect(() => startTelemetry()).toThrow(/started already/);

    await telemetry.shutdown();
    telemetry = await startTelemetry({ endpoint: collector.url });
    await busyRouter().ask("how?");
    await telemetry.flush();
    expect(treesOfSpans(collector.spans())).toHaveLength(1);
  });

  it("leaves an SDK that the application has registered in place", async () => {
    const theirs = new BasicTracerProvider();
    trace.setGlobalTracerProvider(theirs);

    telemetry = await startTelemetry({ endpoint: collector.url });
    await telemetry.shutdown();

    expect(telemetry.isExporting).toBe(false);
    expect((trace.getTracerProvider() as ProxyTracerProvider).getDelegate()).toBe(theirs);
    expect(warnings).toHaveLength(1);
    trace.disable();
  });

  it("carries the trace over HTTP in W3C headers, and back", async () => {
    telemetry = await startTelemetry({ endpoint: collector.url });
    const headers: Record<string, string> = {};
    const router = createRouter();
    router.register({
      id: "remote",
      description: "calls out",
      librarian: async () => {
        propagation.inject(context.active(), headers);
        return { answer: "ok" };
      },
    });

    await router.ask("how?");
    await telemetry.flush();

    const hop = collector.spans().find(({ name }) => name === "invoke_agent remote");
    expect(headers.traceparent).toBe(`00-${hop?.traceId}-${hop?.spanId}-01`);
  });

  it("releases every listener, timer and connection, and the SDK registration, on shutdown", async () => {
    const before = listeners();
    telemetry = await startTelemetry({ endpoint: collector.url });
    const router = busyRouter();
    telemetry.recordMetrics(router);
    await router.ask("how?");
    await telemetry.flush();
    expect(listeners()).not.toEqual(before);
    expect(await collector.connections()).toBeGreaterThan(0);

    await telemetry.shutdown();

    expect(listeners()).toEqual(before);
    await vi.waitFor(async () => expect(await collector.connections()).toBe(0), 20_000);
    expect(hasProvider()).toBe(false);
  });

  it("shuts down once, however often it is called, and does nothing afterwards", async () => {
    telemetry = await startTelemetry({ endpoint: collector.url });
    await busyRouter().ask("how?");

    const first = telemetry.shutdown();
    expect(telemetry.shutdown()).toBe(first);
    await first;
    const requests = collector.received.length;

    const router = busyRouter();
    telemetry.recordMetrics(router);
    await router.ask("how?");
    await telemetry.flush();
    expect(requests).toBe(1);
    expect(collector.received).toHaveLength(requests);
  });
});

function hasProvider(): boolean {
  const provider = trace.getTracerProvider();
  const none = new ProxyTracerProvider().getDelegate();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== none;
}

function listeners(): readonly number[] {
  return ["beforeExit", "SIGTERM", "SIGINT"].map((name) => process.listenerCount(name));
}

describe("what is not exported", () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it("is said once, with how to change it, where no endpoint is named", async () => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);

    const telemetry = await startTelemetry({ onWarning });
    await telemetry.shutdown();

    expect(telemetry.isExporting).toBe(false);
    expect(warnings).toEqual([
      expect.stringMatching(
        /^Nothing is exported: .*OTEL_EXPORTER_OTLP_ENDPOINT.*4318.*`endpoint`/,
      ),
    ]);
  });

  it.each([
    { OTEL_SDK_DISABLED: "true" },
    { OTEL_TRACES_EXPORTER: "none", OTEL_METRICS_EXPORTER: "none" },
  ])("is not mentioned where it is meant: %o", async (variables) => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
    const warnings: string[] = [];

    const telemetry = await startTelemetry({ onWarning: (message) => warnings.push(message) });
    await telemetry.shutdown();

    expect(warnings).toEqual([]);
  });

  it("are metrics where the backend takes traces alone: one line, and nothing counts as lost", async () => {
    const warnings: string[] = [];
    const jaeger = await startReceiver((response, _calls, path) => {
      response.writeHead(path === "/v1/metrics" ? 404 : 200).end("{}");
    });
    const telemetry = await startTelemetry({
      endpoint: jaeger.url,
      onWarning: (message) => warnings.push(message),
    });
    const router = busyRouter();
    telemetry.recordMetrics(router);

    const flushed: boolean[] = [];
    for (let round = 0; round < 3; round++) {
      await router.ask("how?");
      flushed.push(await telemetry.flush());
    }
    await telemetry.shutdown();
    await jaeger.close();

    expect(flushed).toEqual([true, true, true]);
    expect(warnings).toEqual([expect.stringContaining("takes no metrics (404)")]);
    expect(jaeger.received.filter(({ path }) => path === "/v1/metrics")).toHaveLength(1);
  });

  it("does not throw into the application, whatever its function does", async () => {
    const telemetry = await startTelemetry({
      onWarning() {
        throw new Error("mine");
      },
    });

    await expect(telemetry.shutdown()).resolves.toBeUndefined();
  });
});

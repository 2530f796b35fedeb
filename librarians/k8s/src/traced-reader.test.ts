import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fakeCluster } from "../test/fake-cluster.js";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { tracedReader } from "./traced-reader.js";

const exporter = new InMemorySpanExporter();
const memory = createInMemoryReader({
  objects: [...fakeCluster.objects, ...fakeCluster.events],
  logs: fakeCluster.logs,
  forbidden: ["Node"],
});

describe("tracedReader", () => {
  beforeEach(() => {
    const provider = new BasicTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    trace.setGlobalTracerProvider(provider);
  });
  afterEach(() => {
    exporter.reset();
    trace.disable();
  });

  it("makes one span of kind execute_tool for each read", async () => {
    const reader = tracedReader(memory);
    await reader.list("Pod", { namespace: "shop" });
    await reader.get("Pod", "shop", "api-1");
    await reader.events();
    await reader.logs({ namespace: "shop", pod: "api-1", container: "web" });
    await reader.usage();

    const spans = exporter.getFinishedSpans();
    expect(spans.map(({ name }) => name)).toEqual([
      "execute_tool kubernetes.list Pod",
      "execute_tool kubernetes.get Pod",
      "execute_tool kubernetes.events",
      "execute_tool kubernetes.logs",
      "execute_tool kubernetes.usage",
    ]);
    expect(spans[0]?.attributes).toEqual({
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": "kubernetes.list",
      "gen_ai.tool.type": "function",
      "k8s.kind": "Pod",
      "k8s.namespace.name": "shop",
      "librarian.items.count": 7,
    });
    expect(spans.every(({ status }) => status.code === 0)).toBe(true);
  });

  it("puts nothing of objects, events or logs into spans", async () => {
    const reader = tracedReader(memory);
    await reader.get("Pod", "shop", "api-1");
    await reader.events();
    await reader.logs({ namespace: "shop", pod: "api-1", container: "web" });

    const said = JSON.stringify(
      exporter
        .getFinishedSpans()
        .map(({ attributes, events, status }) => [attributes, events, status]),
    );
    expect(said).not.toMatch(/api-1|Back-off|three/);
  });

  it("ends in an error with the code of the problem, unless the caller stopped", async () => {
    const reader = tracedReader(memory);
    await reader.list("Node");
    await reader.list("Pod", { signal: AbortSignal.abort() });

    const [failed, stopped] = exporter.getFinishedSpans();
    expect(failed).toMatchObject({
      status: { code: 2 },
      attributes: { "error.type": "forbidden" },
    });
    expect(stopped).toMatchObject({
      status: { code: 0 },
      attributes: { "librarian.cancelled": true },
    });
  });

  it("does not fail where a snapshot does not hold the kind", async () => {
    const problem = {
      code: "notRecorded",
      subject: "Node",
      message: "It was not recorded.",
    } as const;
    const snapshot: ClusterReader = { ...memory, list: async () => ({ items: [], problem }) };

    await tracedReader(snapshot).list("Node");

    expect(exporter.getFinishedSpans()[0]).toMatchObject({
      status: { code: 0 },
      attributes: { "librarian.k8s.not_recorded": true },
    });
  });

  it("ends the span of a reader that throws, and forwards what it threw", async () => {
    const broken: ClusterReader = { ...memory, list: () => Promise.reject(new Error("no")) };

    await expect(tracedReader(broken).list("Pod")).rejects.toThrow("no");
    expect(exporter.getFinishedSpans()).toMatchObject([{ attributes: { "error.type": "_OTHER" } }]);
  });

  it("makes no span without an SDK, and leaves the rest to the reader", async () => {
    trace.disable();
    const reader = tracedReader({ ...memory, actingAs: () => memory });

    expect((await reader.list("Pod")).items).toHaveLength(8);
    expect((await reader.actingAs?.({ user: "bob" })?.list("Pod"))?.items).toHaveLength(8);
    expect(reader.now()).toBe(memory.now());
    expect(reader.describe()).toBe("cluster in memory");
    expect(exporter.getFinishedSpans()).toEqual([]);
  });
});

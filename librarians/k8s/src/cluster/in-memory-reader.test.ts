import { describe, expect, it } from "vitest";
import { itReadsACluster } from "../../test/reader-contract.js";
import { createInMemoryReader } from "./in-memory-reader.js";

describe("createInMemoryReader", () => {
  itReadsACluster(async ({ objects, events, newerEvents, podMetrics, nodeMetrics, logs }) => ({
    reader: createInMemoryReader({
      objects: [...objects, ...events, ...newerEvents, ...podMetrics, ...nodeMetrics],
      logs,
    }),
    close: async () => {},
  }));

  it("has problems where it was asked to, and none for what simply does not exist", async () => {
    const reader = createInMemoryReader({
      forbidden: ["Node", "log"],
      problems: { Pod: "throttled", Event: "gone" },
    });

    expect((await reader.list("Node")).problem).toMatchObject({
      code: "forbidden",
      subject: "nodes",
    });
    expect((await reader.list("Pod", { namespace: "shop" })).problem).toMatchObject({
      code: "throttled",
      subject: "pods in shop",
    });
    expect((await reader.events()).problem?.code).toBe("gone");
    expect((await reader.logs({ namespace: "a", pod: "b" })).problem?.code).toBe("forbidden");
    expect(await reader.list("Service")).toEqual({ items: [] });
  });

  it("finds the log of the only container, and one under the name of any", async () => {
    const reader = createInMemoryReader({ logs: { "a/b/web": "x", "a/c/*": "y" } });

    expect((await reader.logs({ namespace: "a", pod: "b" })).text).toBe("x");
    expect((await reader.logs({ namespace: "a", pod: "c", container: "any" })).text).toBe("y");
  });

  it("reports the time it was given, else the newest in its objects that is not in the future", () => {
    const objects = [
      { kind: "Node", metadata: { name: "a", creationTimestamp: "2026-01-01T00:00:00Z" } },
      {
        kind: "Node",
        metadata: { name: "b" },
        status: { conditions: [{ lastHeartbeatTime: "2999-01-01T00:00:00Z" }] },
      },
    ];

    expect(createInMemoryReader({ objects }).now()).toBe(Date.parse("2026-01-01T00:00:00Z"));
    expect(createInMemoryReader({ objects, now: 5 }).now()).toBe(5);
  });

  it("leaves out what is not an object, and kinds that only share a name", async () => {
    const reader = createInMemoryReader({
      objects: [
        null,
        "pod",
        { kind: "Pod" },
        { kind: "Pod", metadata: { name: "" } },
        { kind: "Pod", metadata: { name: 7 } }, // as YAML without quotes has it
        { apiVersion: "serving.knative.dev/v1", kind: "Service", metadata: { name: "s" } },
        { apiVersion: "extensions/v1beta1", kind: "Ingress", metadata: { name: "i" } },
      ],
    });

    expect((await reader.list("Pod")).items.map(({ metadata }) => metadata.name)).toEqual(["7"]);
    expect((await reader.list("Service")).items).toEqual([]);
    expect((await reader.list("Ingress")).items).toHaveLength(1);
  });
});

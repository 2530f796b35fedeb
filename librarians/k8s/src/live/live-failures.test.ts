import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeApiServer, startFakeApiServer } from "../../test/fake-api-server.js";
import { fakeCluster } from "../../test/fake-cluster.js";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import { createLiveReader } from "./live-reader.js";
import type { LiveReaderOptions } from "./options.js";

describe("a live reader whose server fails", () => {
  beforeAll(async () => {
    // Its loading takes longer than the deadlines here.
    await import("@kubernetes/client-node");
  });
  let server: FakeApiServer;
  let opened: ClusterReader[] = [];
  beforeEach(async () => {
    server = await startFakeApiServer(fakeCluster);
  });
  afterEach(async () => {
    await Promise.all(opened.map(async (reader) => reader.close?.()));
    opened = [];
    await expect.poll(() => server.openSockets()).toBe(0);
    await server.close();
  });

  function open(options: LiveReaderOptions = {}): ClusterReader {
    const reader = createLiveReader({
      kubeconfig: server.kubeconfig,
      pageSize: 3,
      requestTimeoutMs: 400,
      timeoutMs: 1_500,
      ...options,
    });
    opened.push(reader);
    return reader;
  }

  it.each([
    ["forbidden", { status: 403 }],
    ["forbidden", { status: 401 }],
    ["notFound", { status: 404, body: "404 page not found\n" }],
    ["throttled", { status: 429, headers: { "retry-after": "60" } }],
    ["throttled", { status: 429 }],
    ["unavailable", { status: 500 }],
    ["unavailable", { status: 503 }],
    ["timeout", { status: 504 }],
    ["malformed", { status: 302, headers: { location: "http://127.0.0.1:1/" } }],
    ["malformed", { status: 200, body: "[]" }],
    ["malformed", { status: 200, body: '{"items":{}}' }],
    ["malformed", "malformed"],
    ["malformed", "same-token"],
    ["timeout", "hang"],
    ["timeout", "drip"],
    ["unavailable", "cut"],
    ["unavailable", "refuse"],
  ] as const)("turns into problem %s: %j", async (code, how) => {
    server.misbehave(/\/api\/v1\/pods/, how);
    const isSlow = how === "hang" || how === "drip";
    const patient = isSlow ? {} : { requestTimeoutMs: 3_000, timeoutMs: 4_000 };
    const result = await open(patient).list("Pod");

    expect(result.problem).toMatchObject({ code, subject: "pods" });
  });

  it("stops reading a body that is too large", async () => {
    server.misbehave(/\/api\/v1\/pods/, "huge");

    const { problem } = await open({
      maxResponseBytes: 1_000_000,
      requestTimeoutMs: 5_000,
      timeoutMs: 10_000,
    }).list("Pod");

    expect(problem?.code).toBe("tooLarge");
  });

  it("gives the pages before a failure", async () => {
    server.misbehave(/continue=3/, { status: 500 });

    const { items, problem } = await open().list("Pod");

    expect(items).toHaveLength(3);
    expect(problem?.code).toBe("unavailable");
  });

  it("begins a list again once when a page has expired, and gives nothing twice", async () => {
    server.misbehave(/continue=3/, { status: 410 }, "well");

    const { items, problem } = await open().list("Pod");

    expect(problem).toBeUndefined();
    expect(items).toHaveLength(8);
  });

  it("has problem gone when it expires again", async () => {
    server.misbehave(/continue=3/, { status: 410 });

    expect((await open().list("Pod")).problem?.code).toBe("gone");
  });

  it("waits as long as a busy server says, when the deadline allows it", async () => {
    server.misbehave(/\/nodes/, { status: 429, headers: { "retry-after": "0" } }, "well");

    expect((await open().list("Node")).items).toHaveLength(2);
    expect(server.requests).toHaveLength(2);
  });

  it("does not wait past the deadline for a busy server", async () => {
    server.misbehave(/\/nodes/, { status: 429, headers: { "retry-after": "3600" } });

    // Had it waited, the test would run out of time.
    expect((await open().list("Node")).problem?.code).toBe("throttled");
  });

  it("stops when the caller does, with what was read by then", async () => {
    server.misbehave(/continue=3/, "hang");
    const caller = new AbortController();
    const reading = open({ requestTimeoutMs: 10_000, timeoutMs: 10_000 }).list("Pod", {
      signal: caller.signal,
    });
    await expect.poll(() => server.requests.length).toBe(2);

    caller.abort();

    const { items, problem } = await reading;
    expect(items).toHaveLength(3);
    expect(problem?.code).toBe("timeout");
  });

  it("ends reads under way when it is closed", async () => {
    server.misbehave(/nodes/, "hang");
    const reader = open({ requestTimeoutMs: 10_000, timeoutMs: 10_000 });
    const reading = reader.list("Node");
    await expect.poll(() => server.requests.length).toBe(1);

    await reader.close?.();

    expect((await reading).problem?.code).toBe("timeout");
    expect((await reader.list("Node")).problem?.code).toBe("timeout");
  });

  it("has problem unavailable for a configuration that cannot be used", async () => {
    const reader = open({ kubeconfig: "/nowhere/config" });

    expect((await reader.list("Pod")).problem).toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("The kubeconfig does not exist"),
    });
    expect((await open({ context: "other" }).list("Pod")).problem?.code).toBe("unavailable");
  });

  it("does not repeat what the server says", async () => {
    server.misbehave(/nodes/, { status: 403, body: JSON.stringify({ message: "token=hunter2" }) });

    expect(JSON.stringify(await open().list("Node"))).not.toContain("hunter2");
  });
});

import { afterEach, beforeEach, expect, it } from "vitest";
import type { ClusterReader } from "../src/cluster/cluster-reader.js";
import { kindNames } from "../src/cluster/kinds.js";
import { type FakeCluster, fakeCluster, hiddenValue } from "./fake-cluster.js";

/** A reader over a {@link FakeCluster}, and what to do when the test is over. */
export interface OpenedReader {
  readonly reader: ClusterReader;
  close(): Promise<void>;
}

/** Registers the tests that every {@link ClusterReader} must pass. */
export function itReadsACluster(open: (cluster: FakeCluster) => Promise<OpenedReader>): void {
  let opened: OpenedReader;
  let reader: ClusterReader;
  beforeEach(async () => {
    opened = await open(fakeCluster);
    reader = opened.reader;
  });
  afterEach(async () => {
    await opened.close();
  });

  it("lists a kind in every namespace, and in one", async () => {
    const all = await reader.list("Pod");
    const some = await reader.list("Pod", { namespace: "bank" });

    expect(all.problem).toBeUndefined();
    expect(all.items).toHaveLength(8);
    expect(some.items.map(({ metadata }) => metadata.name)).toEqual(["ledger-1"]);
  });

  it("says of every object what it is, and ignores the namespace for kinds of the whole cluster", async () => {
    const { items } = await reader.list("Node", { namespace: "shop" });

    expect(items).toMatchObject([
      { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } },
      { apiVersion: "v1", kind: "Node", metadata: { name: "n2" } },
    ]);
  });

  it("gets one object, and knows when there is none of that name", async () => {
    const there = await reader.get("Deployment", "shop", "api");
    const absent = await reader.get("Deployment", "shop", "web");

    expect(there.object).toMatchObject({ kind: "Deployment", spec: { replicas: 7 } });
    expect(absent).toEqual({});
  });

  it("lists only what has the labels, or the name, that it is asked for", async () => {
    const all = await reader.list("Pod");
    const [first] = all.items.filter(({ metadata }) => metadata.labels !== undefined);
    const labels = first?.metadata.labels ?? {};
    const some = await reader.list("Pod", { labels });
    const named = await reader.list("Pod", { name: "ledger-1" });

    expect(some.items.length).toBe(
      all.items.filter(({ metadata }) =>
        Object.entries(labels).every(([key, value]) => metadata.labels?.[key] === value),
      ).length,
    );
    expect(named.items.map(({ metadata }) => metadata.name)).toEqual(["ledger-1"]);
    expect((await reader.list("Pod", { labels: { app: "none" } })).items).toEqual([]);
  });

  it("gives the events about one object", async () => {
    const { items } = await reader.events({
      namespace: "shop",
      about: { kind: "Pod", name: "api-1" },
    });

    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ involved }) => involved.name === "api-1")).toBe(true);
  });

  it("gives events of both APIs once, newest first, with times and counts", async () => {
    const { items, problem } = await reader.events({ namespace: "shop" });

    expect(problem).toBeUndefined();
    expect(items).toMatchObject([
      {
        involved: { kind: "Pod", namespace: "shop", name: "api-2" },
        reason: "FailedScheduling",
        message: "0/2 nodes are available",
        count: 9,
        firstSeen: Date.parse("2026-05-01T09:20:00.123Z"),
        lastSeen: Date.parse("2026-05-01T09:55:00.654Z"),
        component: "default-scheduler",
      },
      {
        involved: { uid: "uid-shop-api-1" },
        reason: "BackOff",
        message: "Back-off restarting failed container",
        count: 5,
        lastSeen: Date.parse("2026-05-01T09:50:00Z"),
      },
    ]);
  });

  it("gives the end of a log, of this run and of the one before", async () => {
    const web = { namespace: "shop", pod: "api-1", container: "web" };

    const end = await reader.logs({ ...web, limitBytes: 5 });
    const whole = await reader.logs(web);
    const previous = await reader.logs({ ...web, previous: true });

    expect(end).toMatchObject({ text: "three", cut: true });
    expect(whole.text?.trim()).toBe("one\ntwo\nthree");
    expect(whole.cut).toBe(false);
    expect(previous.text).toContain("panic: out of cheese");
  });

  it("has a problem and no text for a log that is not there", async () => {
    const log = await reader.logs({ namespace: "shop", pod: "api-7", container: "web" });

    expect(log.text).toBeUndefined();
    expect(log.problem?.code).toMatch(/^not(Found|Recorded)$/);
  });

  it("gives usage with its units", async () => {
    const { items } = await reader.usage();

    expect(items).toMatchObject([
      { kind: "Pod", name: "api-1", container: "web", cpu: "250m", memory: "580Mi" },
      { kind: "Node", name: "n1", cpu: "2", memory: "3Gi" },
    ]);
  });

  it("never holds a secret, a value of a ConfigMap or a copy of a manifest", async () => {
    const lists = await Promise.all(kindNames.map((kind) => reader.list(kind)));
    const configMap = await reader.get("ConfigMap", "shop", "settings");

    expect(JSON.stringify([lists, configMap])).not.toContain(hiddenValue);
    expect(configMap.object?.data).toEqual({ dsn: "" });
    expect(JSON.stringify(lists)).not.toContain('"kind":"Secret"');
    expect(JSON.stringify(lists)).toContain('"value":"info"');
  });

  it("cannot be asked for a Secret, also where types are not checked", async () => {
    // A caller from JavaScript can pass any text.
    const secret = "Secret" as "Pod";

    const asked = async () => [await reader.list(secret), await reader.get(secret, "shop", "db")];

    await expect(asked()).rejects.toThrow(TypeError);
  });

  it("has a problem at once when the caller has stopped already", async () => {
    const { items, problem } = await reader.list("Pod", { signal: AbortSignal.abort() });

    expect(items).toEqual([]);
    expect(problem).toMatchObject({ code: "timeout", subject: "pods" });
  });

  it("names its source without credentials, and tells its time", async () => {
    await reader.list("Node");

    expect(reader.describe()).toMatch(/^(cluster|snapshot) /);
    expect(reader.describe()).not.toContain("letmein");
    expect(reader.now()).toBeGreaterThanOrEqual(Date.parse("2026-05-01T10:00:00Z"));
  });
}

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listOf, named, useSnapshotFolder } from "../../test/snapshot-folder.js";
import { openSnapshot } from "./open-snapshot.js";

describe("openSnapshot", () => {
  const folder = useSnapshotFolder();

  it("reads the folder that cluster-info dump leaves", async () => {
    const reader = await folder.open({
      "nodes.json": JSON.stringify({
        kind: "NodeList",
        apiVersion: "v1",
        items: [{ metadata: { name: "n1" } }],
      }),
      "shop/pods.json": JSON.stringify({
        kind: "PodList",
        apiVersion: "v1",
        items: [{ metadata: { name: "a", namespace: "shop" } }],
      }),
      "shop/services.json": JSON.stringify(listOf([])),
      "shop/a/logs.txt":
        "==== START logs for container web of pod shop/a ====\nhello\n==== END logs for container web of pod shop/a ====\n",
    });

    expect((await reader.list("Node")).items).toHaveLength(1);
    expect(await reader.list("Service", { namespace: "shop" })).toEqual({ items: [] });
    expect((await reader.logs({ namespace: "shop", pod: "a", container: "web" })).text).toBe(
      "hello",
    );
    expect((await reader.list("ReplicaSet")).problem?.code).toBe("notRecorded");
  });

  it("opens a single file of any name", async () => {
    await folder.write({ "saved.out": JSON.stringify(named("Pod", "a")) });
    const reader = await openSnapshot({ path: join(folder.path(), "saved.out") });

    expect((await reader.list("Pod")).items).toHaveLength(1);
    expect(reader.describe()).toBe("snapshot saved.out");
  });

  it("knows what it does not hold from what does not exist", async () => {
    const reader = await folder.open({ "a.json": JSON.stringify(named("Pod", "a")) });

    expect((await reader.list("ConfigMap")).problem).toMatchObject({
      code: "notRecorded",
      subject: "configmaps",
    });
    expect((await reader.get("Pod", "bank", "a")).problem?.code).toBe("notRecorded");
    expect(await reader.get("Pod", "shop", "b")).toEqual({});
    expect((await reader.events()).problem?.code).toBe("notRecorded");
    expect((await reader.usage()).problem?.code).toBe("notRecorded");
  });

  it("reports a file that cannot be read, and reads the others", async () => {
    const reader = await folder.open({
      "bad.json": '{"kind":"Pod","metadata":',
      "bad.yaml": "kind: Pod\n  metadata: [",
      "good.yaml":
        "kind: Pod\nmetadata: {name: a}\n---\n: : :\n- x\n---\nkind: Pod\nmetadata: {name: b}\n",
      "text.yaml": "just words",
      "notes.txt": "just words",
    });

    expect((await reader.list("Pod")).items.map(({ metadata }) => metadata.name)).toEqual([
      "a",
      "b",
    ]);
    expect(reader.loadProblems?.map(({ code, subject }) => `${code} ${subject}`)).toEqual([
      "malformed bad.json",
      "malformed bad.yaml",
      "malformed good.yaml",
      "malformed text.yaml",
    ]);
  });

  it("reports the newest time in it, or the one it was given", async () => {
    const files = {
      "a.json": JSON.stringify({
        ...named("Pod", "a"),
        status: { startTime: "2026-02-03T04:05:06Z" },
      }),
    };

    expect((await folder.open(files)).now()).toBe(Date.parse("2026-02-03T04:05:06Z"));
    expect((await folder.open(files, { now: 7 })).now()).toBe(7);
  });

  it("refuses what cannot be opened, and options that cannot be used", async () => {
    await expect(openSnapshot({ path: join(folder.path(), "absent") })).rejects.toThrow("ENOENT");
    await expect(openSnapshot({ path: "" })).rejects.toThrow("path: expected");
    await expect(openSnapshot({ path: folder.path(), limits: { maxFiles: 0 } })).rejects.toThrow(
      "limits.maxFiles",
    );
    await expect(
      openSnapshot({ path: folder.path(), signal: AbortSignal.abort() }),
    ).rejects.toThrow("abort");
  });
});

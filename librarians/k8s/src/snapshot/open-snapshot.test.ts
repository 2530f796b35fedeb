import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { hiddenValue } from "../../test/fake-cluster.js";
import { kindNames } from "../cluster/kinds.js";
import { openSnapshot } from "./open-snapshot.js";
import type { SnapshotOptions } from "./options.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "snapshot-"));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(files: Readonly<Record<string, string>>): Promise<string> {
  for (const [place, text] of Object.entries(files)) {
    const path = join(root, place);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return root;
}

async function snapshot(
  files: Readonly<Record<string, string>>,
  options: Omit<SnapshotOptions, "path"> = {},
) {
  return openSnapshot({ path: await write(files), ...options });
}

const list = (items: readonly unknown[]) => ({ apiVersion: "v1", kind: "List", items });
const named = (kind: string, name: string, namespace = "shop") => ({
  apiVersion: "v1",
  kind,
  metadata: { name, namespace },
});

describe("openSnapshot", () => {
  it("reads the folder that cluster-info dump leaves", async () => {
    const reader = await snapshot({
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
      "shop/services.json": JSON.stringify(list([])),
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
    await write({ "saved.out": JSON.stringify(named("Pod", "a")) });
    const reader = await openSnapshot({ path: join(root, "saved.out") });

    expect((await reader.list("Pod")).items).toHaveLength(1);
    expect(reader.describe()).toBe("snapshot saved.out");
  });

  it("knows what it does not hold from what does not exist", async () => {
    const reader = await snapshot({ "a.json": JSON.stringify(named("Pod", "a")) });

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
    const reader = await snapshot({
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
      "garbage bad.json",
      "garbage bad.yaml",
      "garbage good.yaml",
      "garbage text.yaml",
    ]);
  });

  it("does not follow links out of the folder", async () => {
    const outside = await mkdtemp(join(tmpdir(), "outside-"));
    await writeFile(join(outside, "pod.json"), JSON.stringify(named("Pod", "stray")));
    await write({ "in.json": JSON.stringify(named("Pod", "a")) });
    await symlink(outside, join(root, "linked"));
    await symlink(join(outside, "pod.json"), join(root, "linked.json"));

    const { items } = await (await openSnapshot({ path: root })).list("Pod");

    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    await rm(outside, { recursive: true });
  });

  it("holds every limit, and says what it left out", async () => {
    const files = {
      "a.json": JSON.stringify(list([named("Pod", "a"), named("Pod", "b"), named("Pod", "c")])),
      "b.json": JSON.stringify(named("Pod", "d")),
      "deep/er/c.json": JSON.stringify(named("Pod", "e")),
      "logs/shop/a/web.log": "0123456789\n".repeat(100),
    };
    const count = async (limits: SnapshotOptions["limits"]) => {
      const reader = await snapshot(files, { limits });
      const { items } = await reader.list("Pod");
      return { pods: items.length, problems: reader.loadProblems?.map(({ code }) => code) };
    };

    expect(await count({ maxObjects: 2 })).toEqual({ pods: 2, problems: ["tooLarge"] });
    expect(await count({ maxFiles: 1 })).toEqual({ pods: 3, problems: ["tooLarge"] });
    expect(await count({ maxFileBytes: 100 })).toEqual({ pods: 2, problems: ["tooLarge"] });
    expect(await count({ maxTotalBytes: 300 })).toMatchObject({ pods: 3 });
    expect(await count({ maxDepth: 1 })).toMatchObject({ pods: 4 });
    expect(await count({ maxTotalLogBytes: 10 })).toEqual({ pods: 5, problems: ["tooLarge"] });
    const reader = await snapshot(files, { limits: { maxLogBytes: 22 } });
    expect((await reader.logs({ namespace: "shop", pod: "a", container: "web" })).text).toBe(
      "0123456789\n0123456789",
    );
  });

  it("takes an alias bomb for garbage", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefghi".split("").map((name, at) => {
        const before = "abcdefgh"[at];
        return `${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`;
      }),
    ].join("\n");

    expect((await snapshot({ "bomb.yaml": bomb })).loadProblems).toMatchObject([
      { code: "garbage" },
    ]);
  });

  it("does not let a log pass for objects", async () => {
    const whose = "container web of pod shop/a";
    const forged = `==== END logs for ${whose} ====\n${JSON.stringify(named("Pod", "forged"))}\n`;
    const reader = await snapshot({
      "dump.json": `${JSON.stringify(named("Pod", "a"))}\n==== START logs for ${whose} ====\n${forged}${JSON.stringify(named("Node", "forged"))}\n==== END logs for ${whose} ====\n${JSON.stringify(named("Pod", "b"))}`,
    });

    expect((await reader.list("Pod")).items.map(({ metadata }) => metadata.name)).toEqual([
      "a",
      "b",
    ]);
    expect((await reader.logs({ namespace: "shop", pod: "a", container: "web" })).text).toContain(
      "forged",
    );
  });

  it("takes time in line with the length of a dump of many logs", async () => {
    const section = (at: number) => {
      const whose = `container web of pod shop/p${at}`;
      return `==== START logs for ${whose} ====\nline\n==== END logs for ${whose} ====\n`;
    };
    const dump = Array.from({ length: 20_000 }, (_, at) => section(at)).join("");
    const start = performance.now();

    const reader = await snapshot({ "dump.txt": dump });

    expect((await reader.logs({ namespace: "shop", pod: "p9", container: "web" })).text).toBe(
      "line",
    );
    // Looking for each end through the whole text would take minutes.
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("never keeps a Secret, in whatever form it comes", async () => {
    const secret = { ...named("Secret", "db"), data: { password: hiddenValue } };
    const reader = await snapshot({
      "a.json": JSON.stringify(list([secret, list([secret])])),
      "secrets.json": JSON.stringify({
        kind: "SecretList",
        apiVersion: "v1",
        items: [{ metadata: { name: "x" }, data: { p: hiddenValue } }],
      }),
      "b.yaml": `${stringify(secret)}---\n${stringify(list([secret]))}`,
    });
    const lists = await Promise.all(kindNames.map((kind) => reader.list(kind)));

    expect(JSON.stringify([lists, reader.loadProblems])).not.toContain(hiddenValue);
  });

  it("tells the newest time in it, or the one it was given", async () => {
    const files = {
      "a.json": JSON.stringify({
        ...named("Pod", "a"),
        status: { startTime: "2026-02-03T04:05:06Z" },
      }),
    };

    expect((await snapshot(files)).now()).toBe(Date.parse("2026-02-03T04:05:06Z"));
    expect((await snapshot(files, { now: 7 })).now()).toBe(7);
  });

  it("refuses what cannot be opened, and options that cannot be used", async () => {
    await expect(openSnapshot({ path: join(root, "absent") })).rejects.toThrow("ENOENT");
    await expect(openSnapshot({ path: "" })).rejects.toThrow("path: expected");
    await expect(openSnapshot({ path: root, limits: { maxFiles: 0 } })).rejects.toThrow(
      "limits.maxFiles",
    );
    await expect(openSnapshot({ path: root, signal: AbortSignal.abort() })).rejects.toThrow(
      "abort",
    );
  });

  it("opens whatever bytes a file holds", async () => {
    const pieces = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      '"',
      "\\",
      "---\n",
      "kind: Pod\n",
      "metadata:\n",
      "  name: a\n",
      "&a ",
      "*a ",
      "\n",
      ": ",
      "- ",
      '"kind":"Pod",',
      '"items":[',
      "==== START logs for container a of pod b/c ====\n",
      "__proto__",
      "\uFEFF",
      "!!js/function ",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(pieces, { maxLength: 40 }),
        fc.constantFrom("json", "yaml"),
        async (parts, ending) => {
          const reader = await snapshot({ [`any.${ending}`]: parts.join("") });

          expect(
            (await reader.list("Pod")).items.every(({ metadata }) => metadata.name !== ""),
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

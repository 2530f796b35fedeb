import { execFileSync } from "node:child_process";
import { appendFile, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { hiddenValue } from "../../test/fake-cluster.js";
import { listOf, named, useSnapshotFolder } from "../../test/snapshot-folder.js";
import { kindNames } from "../cluster/kinds.js";
import { createK8sLibrarian } from "../k8s-librarian.js";
import { openSnapshot } from "./open-snapshot.js";
import type { SnapshotOptions } from "./options.js";

describe("openSnapshot of what is not to be trusted", () => {
  const folder = useSnapshotFolder();

  it("does not follow links out of the folder", async () => {
    const outside = await mkdtemp(join(tmpdir(), "outside-"));
    await writeFile(join(outside, "pod.json"), JSON.stringify(named("Pod", "stray")));
    await folder.write({ "in.json": JSON.stringify(named("Pod", "a")) });
    await symlink(outside, join(folder.path(), "linked"));
    await symlink(join(outside, "pod.json"), join(folder.path(), "linked.json"));

    const { items } = await (await openSnapshot({ path: folder.path() })).list("Pod");

    expect(items.map(({ metadata }) => metadata.name)).toEqual(["a"]);
    await rm(outside, { recursive: true });
  });

  it("holds every limit, and says what it left out", async () => {
    const files = {
      "a.json": JSON.stringify(listOf([named("Pod", "a"), named("Pod", "b"), named("Pod", "c")])),
      "b.json": JSON.stringify(named("Pod", "d")),
      "deep/er/c.json": JSON.stringify(named("Pod", "e")),
      "logs/shop/a/web.log": "0123456789\n".repeat(100),
    };
    const count = async (limits: SnapshotOptions["limits"]) => {
      const reader = await folder.open(files, { limits });
      const { items } = await reader.list("Pod");
      return { pods: items.length, problems: reader.loadProblems?.map(({ code }) => code) };
    };

    expect(await count({ maxObjects: 2 })).toEqual({ pods: 2, problems: ["tooLarge"] });
    expect(await count({ maxFiles: 1 })).toEqual({ pods: 3, problems: ["tooLarge"] });
    expect(await count({ maxFileBytes: 100 })).toEqual({ pods: 2, problems: ["tooLarge"] });
    expect(await count({ maxTotalBytes: 300 })).toMatchObject({ pods: 3 });
    expect(await count({ maxDepth: 1 })).toMatchObject({ pods: 4 });
    expect(await count({ maxTotalLogBytes: 10 })).toEqual({ pods: 5, problems: ["tooLarge"] });
    const reader = await folder.open(files, { limits: { maxLogBytes: 22 } });
    expect((await reader.logs({ namespace: "shop", pod: "a", container: "web" })).text).toBe(
      "0123456789\n0123456789",
    );
  });

  it("refuses a FIFO by name, as the snapshot and in its folder", async () => {
    const fifo = join(folder.path(), "pods.json");
    await folder.write({ "a.json": JSON.stringify(named("Pod", "a")) });
    execFileSync("mkfifo", [fifo]);

    const reader = await openSnapshot({ path: folder.path() });

    expect((await reader.list("Pod")).items).toHaveLength(1);
    expect(reader.loadProblems).toMatchObject([
      { subject: "pods.json", message: "It is a FIFO, not a regular file; it was not read." },
    ]);
    await expect(openSnapshot({ path: fifo })).rejects.toThrow(
      'The snapshot "pods.json" is a FIFO.',
    );
    await expect(openSnapshot({ path: "/dev/zero" })).rejects.toThrow('"zero" is a device.');
    const { librarian } = createK8sLibrarian({ snapshot: fifo });
    expect((await librarian("What is wrong?")).error).toMatchObject({
      code: "DATA_SOURCE_ERROR",
      message: 'The snapshot "pods.json" is a FIFO.',
    });
  });

  it("leaves out a file that grows while the snapshot is read, and says so", async () => {
    const many = Array.from({ length: 400 }, (_, at) => `a${at}.json`);
    const pod = JSON.stringify(named("Pod", "a"));
    await folder.write(Object.fromEntries([...many, "z.json"].map((name) => [name, pod])));
    const opening = openSnapshot({ path: folder.path() });
    let open = true;
    const growing = (async () => {
      while (open) await appendFile(join(folder.path(), "z.json"), " ");
    })();

    const { loadProblems } = await opening;
    open = false;
    await growing;

    expect(loadProblems).toMatchObject([
      { subject: "z.json", message: "The file changed while it was read." },
    ]);
  });

  it("takes an alias bomb for too large", async () => {
    const bomb = [
      "a: &a [x,x,x,x,x,x,x,x,x]",
      ..."bcdefghi".split("").map((name, at) => {
        const before = "abcdefgh"[at];
        return `${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`;
      }),
    ].join("\n");

    expect((await folder.open({ "bomb.yaml": bomb })).loadProblems).toMatchObject([
      { code: "tooLarge" },
    ]);
  });

  it("does not let a log pass for objects", async () => {
    const whose = "container web of pod shop/a";
    const forged = `==== END logs for ${whose} ====\n${JSON.stringify(named("Pod", "forged"))}\n`;
    const reader = await folder.open({
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
    const start = process.cpuUsage();

    const reader = await folder.open({ "dump.txt": dump });

    expect((await reader.logs({ namespace: "shop", pod: "p9", container: "web" })).text).toBe(
      "line",
    );
    // Looking for each end through the whole text would take minutes.
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(5_000);
  });

  it("never keeps a Secret, in whatever form it comes", async () => {
    const secret = { ...named("Secret", "db"), data: { password: hiddenValue } };
    const reader = await folder.open({
      "a.json": JSON.stringify(listOf([secret, listOf([secret])])),
      "secrets.json": JSON.stringify({
        kind: "SecretList",
        apiVersion: "v1",
        items: [{ metadata: { name: "x" }, data: { p: hiddenValue } }],
      }),
      "b.yaml": `${stringify(secret)}---\n${stringify(listOf([secret]))}`,
    });
    const lists = await Promise.all(kindNames.map((kind) => reader.list(kind)));

    expect(JSON.stringify([lists, reader.loadProblems])).not.toContain(hiddenValue);
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
          const reader = await folder.open({ [`any.${ending}`]: parts.join("") });

          expect(
            (await reader.list("Pod")).items.every(({ metadata }) => metadata.name !== ""),
          ).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

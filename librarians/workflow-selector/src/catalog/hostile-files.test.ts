import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { entry } from "../../test/workflows.js";
import { createFileCatalog } from "./file-catalog.js";
import { readCatalogText } from "./read-catalog.js";

describe("a catalog that is meant to keep the process busy", () => {
  it("is refused when its aliases multiply what it holds", () => {
    const levels = Array.from({ length: 9 }, (_, at) =>
      at === 0 ? "a0: &a0 [x]" : `a${at}: &a${at} [${`*a${at - 1},`.repeat(10)}]`,
    );
    const { entries, problems } = readCatalogText(
      `workflow_id: a\nversion: "1"\ndescription: A\nlabels: {}\ncontent:\n  ${levels.join("\n  ")}\n`,
    );

    expect(entries).toEqual([]);
    expect(problems).toMatchObject([{ level: "error" }]);
  });

  it("is refused when an alias stands inside what it refers to", () => {
    expect(readCatalogText("content: &a [*a]").problems).toMatchObject([
      { level: "error", line: 1 },
    ]);
  });

  it("keeps what a few anchors say once", () => {
    const { entries } = readCatalogText(`
- { workflow_id: a, version: "1", description: A, labels: &l { severity: high } }
- { workflow_id: b, version: "1", description: B, labels: *l }
`);
    expect(entries.map(({ workflow }) => workflow.labels)).toEqual([
      { severity: ["high"] },
      { severity: ["high"] },
    ]);
  });

  it("leaves the documents beside a broken one as they are, with their lines", () => {
    const one = (id: string) => `workflow_id: ${id}\nversion: "1"\ndescription: D\nlabels: {}\n`;
    const { entries, problems } = readCatalogText(`${one("a")}---\nb: [\n---\n${one("c")}`);

    expect(entries.map(({ workflow, line }) => [workflow.id, line])).toEqual([
      ["a", 1],
      ["c", 8],
    ]);
    expect(problems.filter(({ level }) => level === "error")).toMatchObject([
      { line: expect.any(Number), message: expect.stringContaining("not readable") },
    ]);
  });
});

describe("what is not a regular file", () => {
  async function folder() {
    const root = await mkdtemp(join(tmpdir(), "catalog-"));
    onTestFinished(() => rm(root, { recursive: true }));
    return root;
  }

  it.skipIf(process.platform === "win32")("is refused by name: a FIFO", async () => {
    const root = await folder();
    await promisify(execFile)("mkfifo", [join(root, "pipe.yaml")]);
    await writeFile(join(root, "a.json"), JSON.stringify(entry("a")));

    const { workflows, problems } = await createFileCatalog(root).read();

    expect(workflows.map(({ id }) => id)).toEqual(["a"]);
    expect(problems.filter(({ level }) => level === "error")).toEqual([
      expect.objectContaining({ file: "pipe.yaml", message: expect.stringContaining("FIFO") }),
    ]);
    await expect(createFileCatalog(join(root, "pipe.yaml")).read()).rejects.toThrow("pipe.yaml");
  });

  it.skipIf(process.platform === "win32")("is refused by name: a device", async () => {
    await expect(createFileCatalog("/dev/zero").read()).rejects.toThrow("/dev/zero");
  });

  it("is refused by name when it is larger than it may be", async () => {
    const root = await folder();
    await writeFile(join(root, "large.yaml"), "# x\n".repeat(1_100_000));

    const { problems } = await createFileCatalog(root).read();
    expect(problems).toMatchObject([
      { file: "large.yaml", message: expect.stringContaining("at most") },
    ]);
  });

  it("is followed where the catalog itself is a link", async () => {
    const root = await folder();
    await writeFile(join(root, "a.json"), JSON.stringify(entry("a")));
    await symlink(join(root, "a.json"), join(root, "current"));

    expect((await createFileCatalog(join(root, "current")).read()).workflows).toHaveLength(1);
  });
});

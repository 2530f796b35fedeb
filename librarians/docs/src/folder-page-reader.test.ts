import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFolderPageReader } from "./folder-page-reader.js";

let folder: string;
let root: string;
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "pages-"));
  root = join(folder, "root");
  await mkdir(join(root, "deploy"), { recursive: true });
  await writeFile(join(root, "b.md"), "# B\n");
  await writeFile(join(root, "deploy", "a.markdown"), "# Ä\n");
  await writeFile(join(folder, "secret.md"), "# Secret\n");
});

afterEach(() => rm(folder, { recursive: true }));

async function paths(of = root): Promise<readonly string[]> {
  const listed: string[] = [];
  for await (const { path } of createFolderPageReader(of).list(signal)) listed.push(path);
  return listed;
}

describe("createFolderPageReader", () => {
  it("lists Markdown files of the folder and those below it, in order", async () => {
    await writeFile(join(root, "notes.txt"), "no");
    await writeFile(join(root, "UPPER.MD"), "# yes\n");

    expect(await paths()).toEqual(["UPPER.MD", "b.md", "deploy/a.markdown"]);
  });

  it("leaves out names that begin with a dot, and node_modules", async () => {
    for (const hidden of [".git", "node_modules"]) {
      await mkdir(join(root, hidden));
      await writeFile(join(root, hidden, "x.md"), "# X\n");
    }

    expect(await paths()).toEqual(["b.md", "deploy/a.markdown"]);
  });

  it("tells the length in bytes, and another version after a change", async () => {
    const reader = createFolderPageReader(root);
    const pages = async () => {
      const all = [];
      for await (const page of reader.list(signal)) all.push(page);
      return all;
    };
    const [before, other] = await pages();
    expect(other?.bytes).toBe(5);

    await writeFile(join(root, "b.md"), "# B2\n");

    const [after] = await pages();
    expect(after?.version).not.toBe(before?.version);
  });

  it("reads a page as text, and gives nothing for one that is gone", async () => {
    const reader = createFolderPageReader(root);

    expect(await reader.read("deploy/a.markdown", signal)).toBe("# Ä\n");
    expect(await reader.read("gone.md", signal)).toBeUndefined();
  });

  it("neither lists nor reads what a link outside the folder points to", async () => {
    await symlink(join(folder, "secret.md"), join(root, "link.md"));
    await symlink(folder, join(root, "up"));

    expect(await paths()).toEqual(["b.md", "deploy/a.markdown"]);
    const reader = createFolderPageReader(root);
    expect(await reader.read("link.md", signal)).toBeUndefined();
    expect(await reader.read("up/secret.md", signal)).toBeUndefined();
    expect(await reader.read("../secret.md", signal)).toBeUndefined();
    expect(await reader.read("deploy/../../secret.md", signal)).toBeUndefined();
  });

  it("follows a link to a file inside the folder, as a mounted ConfigMap has them", async () => {
    await mkdir(join(root, "..data"));
    await writeFile(join(root, "..data", "dns.md"), "# DNS\n");
    await symlink(join("..data", "dns.md"), join(root, "dns.md"));

    expect(await paths()).toContain("dns.md");
    expect(await createFolderPageReader(root).read("dns.md", signal)).toBe("# DNS\n");
  });

  it("leaves out links that lead nowhere or to themselves", async () => {
    await symlink("nowhere.md", join(root, "broken.md"));
    await symlink("loop.md", join(root, "loop.md"));

    expect(await paths()).toEqual(["b.md", "deploy/a.markdown"]);
  });

  it("reads a folder that is itself reached by a link", async () => {
    await symlink(root, join(folder, "link"));

    expect(await paths(join(folder, "link"))).toEqual(["b.md", "deploy/a.markdown"]);
  });

  it("rejects for a folder that does not exist, and once its signal has aborted", async () => {
    await expect(paths(join(folder, "none"))).rejects.toThrow();
    const reader = createFolderPageReader(root);
    const aborted = AbortSignal.abort(new Error("enough"));

    await expect(reader.read("b.md", aborted)).rejects.toThrow("enough");
    await expect(reader.list(aborted)[Symbol.asyncIterator]().next()).rejects.toThrow("enough");
  });
});

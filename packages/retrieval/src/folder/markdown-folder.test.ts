import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMarkdownFolder } from "./markdown-folder.js";

/** The program of POSIX that makes a named pipe. */
const makePipe = "mkfifo";

let outside: string;
let root: string;

beforeEach(async () => {
  outside = await mkdtemp(join(tmpdir(), "markdown-folder-"));
  root = join(outside, "docs");
  await mkdir(join(root, "guides/deep"), { recursive: true });
  await writeFile(join(outside, "secret.md"), "secret");
  await writeFile(join(root, "b.md"), "# B");
  await writeFile(join(root, "a.markdown"), "# A");
  await writeFile(join(root, "guides/c.mdx"), "# C");
  await writeFile(join(root, "guides/deep/d.md"), "# D");
  await writeFile(join(root, "guides/notes.txt"), "no");
});
afterEach(async () => {
  await rm(outside, { recursive: true, force: true });
});

const filesOf = async (options = {}) =>
  (await createMarkdownFolder(root, options).list()).pages.map(({ file }) => file);
const omittedFrom = async (options = {}) =>
  (await createMarkdownFolder(root, options).list()).omissions.map(({ file, reason }) => [
    file,
    reason,
  ]);

describe("createMarkdownFolder", () => {
  it("lists Markdown of every folder, sorted, with forward slashes", async () => {
    expect(await filesOf()).toEqual(["a.markdown", "b.md", "guides/c.mdx", "guides/deep/d.md"]);
  });

  it("takes globs of what belongs and what does not", async () => {
    expect(await filesOf({ include: ["guides/**"] })).toEqual([
      "guides/c.mdx",
      "guides/deep/d.md",
      "guides/notes.txt",
    ]);
    expect(await filesOf({ exclude: ["guides"] })).toEqual(["a.markdown", "b.md"]);
    expect(await filesOf({ exclude: ["**/*.{md,mdx}"] })).toEqual(["a.markdown"]);
  });

  it("leaves out names that do not show what they hold, and spells them out", async () => {
    await writeFile(join(root, "\u202ecod.md"), "# Bidi");
    await writeFile(join(root, "a\nb.md"), "# Newline");
    await mkdir(join(root, "x\u200b"));

    expect(await omittedFrom()).toEqual([
      ["\\u{202e}cod.md", "unsafe-name"],
      ["a\\u{a}b.md", "unsafe-name"],
      ["x\\u{200b}", "unsafe-name"],
    ]);
    expect(await filesOf()).toHaveLength(4);
  });

  it.runIf(process.platform === "linux")("refuses a file that grows while it is read", async () => {
    // A file of size 0 that gives bytes when it is read.
    const folder = createMarkdownFolder("/proc/self", { include: ["status"], maxDepth: 0 });

    expect(await folder.read("status")).toMatchObject({ file: "status", reason: "growing" });
  });

  it("says what its limits left out", async () => {
    expect(await omittedFrom({ maxFiles: 3 })).toEqual([["guides/deep/d.md", "too-many-files"]]);
    expect(await omittedFrom({ maxDepth: 1 })).toEqual([["guides/deep", "too-deep"]]);
    expect(await omittedFrom({ maxTotalBytes: 9 })).toEqual([
      ["guides/deep/d.md", "too-many-bytes"],
    ]);
    await writeFile(join(root, "b.md"), "x".repeat(100));
    expect(await omittedFrom({ maxFileBytes: 50 })).toEqual([["b.md", "too-large"]]);
  });

  it("can say whether its root can be read, without listing it", async () => {
    const folder = createMarkdownFolder(root);
    await expect(folder.check?.()).resolves.toBeUndefined();

    await rm(root, { recursive: true });

    await expect(folder.check?.()).rejects.toThrow("ENOENT");
  });

  it("reads a page's bytes", async () => {
    const bytes = await createMarkdownFolder(root).read("guides/c.mdx");

    expect(Buffer.from(bytes as Uint8Array).toString()).toBe("# C");
  });

  it("never reads outside, whatever the path says", async () => {
    const folder = createMarkdownFolder(root);
    const paths = [
      "../secret.md",
      "guides/../../secret.md",
      join(outside, "secret.md"),
      "/etc/passwd",
      "C:\\secret.md",
      "..\\secret.md",
      "./b.md",
      "guides//c.mdx",
      "b.md\0",
      "",
    ];

    for (const path of paths) {
      expect(await folder.read(path)).toMatchObject({ reason: "outside-root" });
    }
  });

  it("follows a link to a file inside, and none that leads out", async () => {
    await symlink(join(root, "b.md"), join(root, "inside.md"));
    await symlink(join(outside, "secret.md"), join(root, "leak.md"));
    await symlink(outside, join(root, "up"));
    const folder = createMarkdownFolder(root);

    const { pages, omissions } = await folder.list();

    expect(pages.map(({ file }) => file)).toContain("inside.md");
    expect(omissions).toMatchObject([{ file: "leak.md", reason: "outside-root" }]);
    expect(await folder.read("leak.md")).toMatchObject({ reason: "outside-root" });
    expect(await folder.read("up/secret.md")).toMatchObject({ reason: "outside-root" });
  });

  it("may itself be reached by a link", async () => {
    await symlink(root, join(outside, "link"));

    const { pages } = await createMarkdownFolder(join(outside, "link")).list();

    expect(pages).toHaveLength(4);
  });

  it.skipIf(process.platform === "win32")("leaves out pipes without waiting for them", async () => {
    execFileSync(makePipe, [join(root, "pipe.md")]);
    const folder = createMarkdownFolder(root);

    expect((await folder.list()).omissions).toMatchObject([
      { file: "pipe.md", reason: "not-a-file" },
    ]);
    expect(await folder.read("pipe.md")).toMatchObject({ reason: "not-a-file" });
    expect(await folder.read("guides")).toMatchObject({ reason: "not-a-file" });
  });

  it("reports what cannot be read and reads the rest", async () => {
    await symlink(join(root, "gone"), join(root, "broken.md"));

    expect(await omittedFrom()).toEqual([["broken.md", "unreadable"]]);
    expect(await createMarkdownFolder(root).read("gone.md")).toMatchObject({
      reason: "unreadable",
    });
  });

  it("names no path outside the folder in what it reports", async () => {
    await symlink(join(outside, "secret.md"), join(root, "leak.md"));

    const { omissions } = await createMarkdownFolder(root).list();

    expect(JSON.stringify(omissions)).not.toContain(outside);
  });

  it("ends with its signal", async () => {
    const folder = createMarkdownFolder(root);

    await expect(folder.list(AbortSignal.abort())).rejects.toThrow();
    await expect(folder.read("b.md", AbortSignal.abort())).rejects.toThrow();
  });

  it("rejects when the folder is not there, and refuses wrong options at once", async () => {
    await expect(createMarkdownFolder(join(root, "none")).list()).rejects.toThrow();
    expect(() => createMarkdownFolder(root, { maxFiles: 0 })).toThrow(RangeError);
    expect(() => createMarkdownFolder("")).toThrow(TypeError);
  });
});

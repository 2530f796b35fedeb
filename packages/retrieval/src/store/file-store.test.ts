import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileStore } from "./file-store.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "file-store-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe("createFileStore", () => {
  it("has nothing before it was saved, then what was saved last, and no drafts", async () => {
    const store = createFileStore(join(folder, "new/index"));

    expect(await store.load()).toBeUndefined();
    await store.save(Uint8Array.of(1));
    await store.save(Uint8Array.of(2, 3));

    expect([...((await store.load()) ?? [])]).toEqual([2, 3]);
    expect(await readdir(join(folder, "new"))).toEqual(["index"]);
  });

  it.runIf(process.platform === "linux")(
    "does not wait for a pipe in place of its file",
    async () => {
      const file = join(folder, "pipe");
      execFileSync("mkfifo", [file]);

      await expect(createFileStore(file).load()).rejects.toThrow("not a regular file");
    },
  );

  it("keeps the old bytes and no draft when saving fails", async () => {
    const store = createFileStore(folder);

    await expect(store.save(Uint8Array.of(1))).rejects.toThrow();

    expect(await readdir(join(folder, ".."))).not.toContainEqual(expect.stringMatching(/\.tmp$/));
  });

  it("does not save when the signal has aborted", async () => {
    const store = createFileStore(join(folder, "index"));

    await expect(store.save(Uint8Array.of(1), AbortSignal.abort())).rejects.toThrow();

    expect(await readdir(folder)).toEqual([]);
  });
});

import { execFileSync } from "node:child_process";
import { appendFile, mkdtemp, readdir, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createFileStore } from "./file-store.js";
import type { IndexStore } from "./index-store.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "file-store-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function* records(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

async function textsIn(store: IndexStore): Promise<readonly string[]> {
  const texts: string[] = [];
  for await (const record of store.load()) texts.push(Buffer.from(record).toString());
  return texts;
}

describe("createFileStore", () => {
  it("has nothing before it was saved, then what was saved and added last, and no drafts", async () => {
    const file = join(folder, "new/index");
    const store = createFileStore(file);
    expect(await textsIn(store)).toEqual([]);

    await store.save(records("a"));
    await store.save(records("b", "c"));
    await store.append(records("d"));
    await store.append(records("e", "f"));

    expect(await textsIn(createFileStore(file))).toEqual(["b", "c", "d", "e", "f"]);
    expect(await readdir(join(folder, "new"))).toEqual(["index"]);
  });

  it("loses of what a crash cut short only the record it cut, wherever that was, and adds behind the others", async () => {
    const file = join(folder, "index");
    const store = createFileStore(file);
    await store.save(records("a", "b"));
    const saved = (await stat(file)).size;
    await store.append(records("a longer one"));
    const whole = (await stat(file)).size;
    for (let size = whole - 1; size >= saved; size--) {
      await truncate(file, size);
      const next = createFileStore(file);
      expect(await textsIn(next)).toEqual(["a", "b"]);
      await next.append(records("c"));
      expect(await textsIn(createFileStore(file))).toEqual(["a", "b", "c"]);
      await truncate(file, saved);
      const again = createFileStore(file);
      await textsIn(again);
      await again.append(records("a longer one"));
    }
  });

  it("adds nothing to a file that another store has written meanwhile", async () => {
    const file = join(folder, "index");
    const [first, second] = [createFileStore(file), createFileStore(file)];
    await first.save(records("a"));
    await textsIn(second);
    await second.append(records("b"));

    await expect(first.append(records("c"))).rejects.toMatchObject({ reason: "locked" });
    await second.save(records("d"));
    await textsIn(first);
    await second.save(records("e"));
    await expect(first.append(records("f"))).rejects.toMatchObject({ reason: "locked" });

    expect(await textsIn(createFileStore(file))).toEqual(["e"]);
  });

  it("refuses another file, and a record that was changed", async () => {
    const file = join(folder, "index");
    await writeFile(file, "CONSTIDX, of an older version and long enough for a header");
    await expect(textsIn(createFileStore(file))).rejects.toMatchObject({ reason: "corrupt" });
    await createFileStore(file).save(records("a"));
    await appendFile(file, "x".repeat(100));

    await expect(textsIn(createFileStore(file))).rejects.toMatchObject({ reason: "corrupt" });
  });

  it.runIf(process.platform === "linux")(
    "does not wait for a pipe in place of its file",
    async () => {
      const file = join(folder, "pipe");
      execFileSync("mkfifo", [file]);

      await expect(textsIn(createFileStore(file))).rejects.toThrow("not a regular file");
    },
  );

  it("keeps the old records and no draft when saving fails", async () => {
    const store = createFileStore(folder);

    await expect(store.save(records("a"))).rejects.toThrow();
    expect(await readdir(join(folder, ".."))).not.toContainEqual(expect.stringMatching(/\.tmp$/));
  });

  it("does not save when the signal has aborted", async () => {
    const store = createFileStore(join(folder, "index"));

    await expect(store.save(records("a"), AbortSignal.abort())).rejects.toThrow();
    expect(await readdir(folder)).toEqual([]);
  });
});

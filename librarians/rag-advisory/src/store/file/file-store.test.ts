import { spawnSync } from "node:child_process";
import {
  appendFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chunkOf } from "../../../test/chunks.js";
import { createMeaningEmbedder } from "../../../test/meaning-embedder.js";
import { itBehavesLikeAVectorStore } from "../../../test/vector-store-suite.js";
import type { VectorStore } from "../vector-store.js";
import { openFileStore } from "./file-store.js";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "chunk-store-"));
});
afterAll(async () => {
  await rm(root, { recursive: true, force: true });
});
let made = 0;
const newFolder = (): string => join(root, `store-${made++}`);

describe("openFileStore", () => {
  itBehavesLikeAVectorStore({ create: (options) => openFileStore(newFolder(), options) });
});

describe("a store in a folder", () => {
  let folder: string;
  const open1 = async (): Promise<VectorStore> => {
    const store = await openFileStore(folder);
    opened.push(store);
    return store;
  };
  const opened: VectorStore[] = [];
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });
  const log = (): string => join(folder, "chunks.log");
  const search = async (store: VectorStore, text: string): Promise<readonly string[]> =>
    (await store.search({ text, country: "IN", limit: 10 })).map(({ chunk }) => chunk.text);

  it("is there again after it was closed, with what was removed gone", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha", { row: { price: 1 } }), chunkOf("b", "beta")]);
    await first.add([chunkOf("c", "gamma", { document: "other.md" })]);
    await first.removeDocument("other.md");
    await first.close();

    const second = await open1();

    expect(await search(second, "alpha beta gamma")).toEqual(["alpha", "beta"]);
    expect(await second.rows({ country: "IN", limit: 1 })).toHaveLength(1);
    expect(await second.health()).toEqual({ chunks: 2, vectors: 0 });
  });

  it("is there again when it was never closed, and when its saved index is damaged or gone", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha")]);
    // Another process that reads sees it at once.
    expect(await search(await open1(), "alpha")).toEqual(["alpha"]);
    await first.close();

    for (const damage of ["", "CONSTVX2 of another kind"]) {
      await writeFile(join(folder, "index.bin"), damage);
      const again = await open1();
      expect(await search(again, "alpha")).toEqual(["alpha"]);
      await again.close();
    }
    await rm(join(folder, "index.bin"));
    expect(await search(await open1(), "alpha")).toEqual(["alpha"]);
  });

  it("ranks the same from a saved index as from the data file", async () => {
    const store = await openFileStore(folder, { embedder: createMeaningEmbedder() });
    await store.add([
      chunkOf("a", "a flat by the water", { title: "Flat", city: "Vizag", date: "2026-01-01" }),
      chunkOf("b", "a lease for a flat", { document: "b.md" }),
      chunkOf("c", "rain", { row: { mm: 3 } }),
    ]);
    const query = { text: "home with a lease", country: "IN", limit: 5 } as const;
    const before = await store.search(query);
    await store.close();

    const again = await openFileStore(folder, { embedder: createMeaningEmbedder() });
    opened.push(again);

    expect(before).toHaveLength(2);
    expect(await again.search(query)).toEqual(before);
    expect(await again.health()).toEqual({ chunks: 3, vectors: 3 });
  });

  it("shows others what is added and removed while they have it open", async () => {
    const reader = await open1();
    const writer = await open1();

    await writer.add([chunkOf("a", "alpha"), chunkOf("b", "beta", { document: "b.md" })]);
    expect(await search(reader, "alpha beta")).toEqual(["alpha", "beta"]);
    await writer.removeDocument("b.md");

    expect(await search(reader, "alpha beta")).toEqual(["alpha"]);
  });

  it("lets one write at a time, and the next once it is closed", async () => {
    const first = await open1();
    const second = await open1();
    await first.add([chunkOf("a", "alpha")]);

    await expect(second.add([chunkOf("b", "beta")])).rejects.toMatchObject({ reason: "locked" });
    await first.close();

    expect(await second.add([chunkOf("a", "alpha"), chunkOf("b", "beta")])).toEqual({
      added: 1,
      unchanged: 1,
    });
  });

  it("takes the lock from a process that is gone", async () => {
    const { pid } = spawnSync(process.execPath, ["--version"]);
    const store = await open1();
    await writeFile(join(folder, "lock"), `${pid} gone`);

    expect(await store.add([chunkOf("a", "alpha")])).toEqual({ added: 1, unchanged: 0 });
  });

  it("drops what a crash left half written, at every length, and keeps all before it", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha")]);
    const whole = (await stat(log())).size;
    await first.add([chunkOf("b", "beta")]);
    const both = (await stat(log())).size;
    await first.close();

    for (let size = both - 1; size > whole; size -= 7) {
      await rm(join(folder, "index.bin"), { force: true });
      await truncate(log(), size);
      const store = await open1();
      expect(await search(store, "alpha beta")).toEqual(["alpha"]);
      expect((await store.health()).problem).toContain("incomplete");
      expect(await store.add([chunkOf("b", "beta")])).toEqual({ added: 1, unchanged: 0 });
      expect((await store.health()).problem).toContain("dropped");
      await store.close();
      const again = await open1();
      expect(await search(again, "alpha beta")).toEqual(["alpha", "beta"]);
      expect(await again.health()).toEqual({ chunks: 2, vectors: 0 });
      await again.close();
    }
  });

  it("drops zeros at the end, which a crash can leave too", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha")]);
    await first.close();
    await appendFile(log(), Buffer.alloc(3_000_000));

    const store = await open1();
    await store.add([chunkOf("b", "beta")]);

    expect(await search(store, "alpha beta")).toEqual(["alpha", "beta"]);
  });

  it("says where a data file is damaged, and opens nothing", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha")]);
    const at = (await stat(log())).size - 3;
    await first.add([chunkOf("b", "beta")]);
    await first.close();
    await rm(join(folder, "index.bin"));
    await overwrite(log(), at);

    const failure = openFileStore(folder);

    await expect(failure).rejects.toMatchObject({ name: "StoreError", reason: "corrupt" });
    await expect(failure).rejects.toThrow(/chunks\.log" is damaged at byte 44/);
  });

  it("gives what was added or says that it is damaged, whichever byte is wrong", async () => {
    const first = await open1();
    const chunks = ["alpha", "beta", "gamma"].map((text) => chunkOf(text, text, { row: { text } }));
    for (const chunk of chunks) await first.add([chunk]);
    await first.close();
    const whole = await readFile(log());
    let corrupt = 0;

    for (let at = 8; at < whole.length; at += 5) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x41;
      await rm(join(folder, "index.bin"), { force: true });
      await writeFile(log(), damaged);
      try {
        const store = await open1();
        const rows = await store.rows({ country: "IN", limit: 10 });
        // What is left is whole, and from the beginning.
        expect(rows).toEqual(chunks.slice(0, rows.length));
        expect(rows.length).toBeGreaterThanOrEqual(2);
        await store.close();
      } catch (thrown) {
        expect(thrown).toMatchObject({ reason: "corrupt" });
        corrupt++;
      }
    }

    expect(corrupt).toBeGreaterThan(10);
  });

  it("says so when a text is damaged that a saved index leads to", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha"), chunkOf("b", "beta")]);
    const { size } = await stat(log());
    await first.close();
    await overwrite(log(), size - 3);

    const store = await open1();

    expect(await search(store, "alpha")).toEqual(["alpha"]);
    await expect(search(store, "beta")).rejects.toMatchObject({ reason: "corrupt" });
  });

  it("refuses a file that is not its own, and leaves it as it is", async () => {
    await mkdir(folder, { recursive: true });
    await writeFile(log(), "somebody's diary, page one: it rained all day");

    await expect(open1()).rejects.toMatchObject({ reason: "corrupt" });
    expect((await stat(log())).size).toBe(45);
    await expect(openFileStore("")).rejects.toThrow(TypeError);
  });

  it("says that a folder cannot be made", async () => {
    await writeFile(folder, "a file in its place");

    await expect(open1()).rejects.toMatchObject({ reason: "unavailable" });
  });

  it("drops garbage when it is closed, and others that have it open go on reading", async () => {
    const reader = await open1();
    const writer = await open1();
    const long = "alpha ".repeat(15_000);
    await writer.add([chunkOf("keep", "kept text"), chunkOf("row", "kept row", { row: { a: 1 } })]);
    for (let time = 0; time < 20; time++) {
      await writer.add([chunkOf(`long-${time}`, `${long}${time}`, { document: "long.md" })]);
    }
    await writer.removeDocument("long.md");
    const before = (await stat(log())).size;
    await writer.close();

    expect(before).toBeGreaterThan(1_500_000);
    expect((await stat(log())).size).toBeLessThan(2_000);
    expect([...(await search(reader, "kept"))].sort()).toEqual(["kept row", "kept text"]);
    const again = await open1();
    expect([...(await search(again, "kept"))].sort()).toEqual(["kept row", "kept text"]);
    expect(await search(again, "alpha")).toEqual([]);
    expect((await readdir(folder)).sort()).toEqual(["chunks.log", "index.bin"]);
  });

  it("gives chunks vectors when an embedder comes later, and leaves those of another alone", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "a flat")]);
    await first.close();
    const second = await openFileStore(folder, { embedder: createMeaningEmbedder("one") });
    expect(await second.health()).toEqual({ chunks: 1, vectors: 0 });
    expect(await second.add([chunkOf("a", "a flat")])).toEqual({ added: 0, unchanged: 1 });
    expect(await second.health()).toEqual({ chunks: 1, vectors: 1 });
    expect(await search(second, "home")).toEqual(["a flat"]);
    await second.close();

    const third = await openFileStore(folder, { embedder: createMeaningEmbedder("other") });
    opened.push(third);

    expect(await third.health()).toEqual({ chunks: 1, vectors: 0 });
    expect(await search(third, "flat")).toEqual(["a flat"]);
  });

  it("stops opening when the signal aborts", async () => {
    const first = await open1();
    await first.add([chunkOf("a", "alpha")]);
    await first.close();
    await rm(join(folder, "index.bin"));

    await expect(openFileStore(folder, { signal: AbortSignal.abort("enough") })).rejects.toBe(
      "enough",
    );
  });
});

async function overwrite(path: string, at: number): Promise<void> {
  const handle = await open(path, "r+");
  await handle.write(Buffer.of(1), 0, 1, at);
  await handle.close();
}

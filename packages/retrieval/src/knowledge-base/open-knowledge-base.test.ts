import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Embedder } from "../embeddings/embedder.js";
import type { PageSource } from "../folder/page-source.js";
import type { IndexStore } from "../store/index-store.js";
import { openKnowledgeBase } from "./open-knowledge-base.js";

/** Pages in memory, whose changes are seen by a counter. */
function pagesOf(texts: Readonly<Record<string, string | Uint8Array>>) {
  const files = new Map(Object.entries(texts).map(([file, text]) => [file, { text, version: 0 }]));
  const read = vi.fn<PageSource["read"]>(async (file, signal) => {
    signal?.throwIfAborted();
    const found = files.get(file);
    if (found === undefined)
      return { file, reason: "unreadable", message: "It could not be read." };
    return typeof found.text === "string" ? new TextEncoder().encode(found.text) : found.text;
  });
  return {
    files,
    read,
    put: (file: string, text: string) => {
      files.set(file, { text, version: (files.get(file)?.version ?? 0) + 1 });
    },
    list: vi.fn<PageSource["list"]>(async (signal) => {
      signal?.throwIfAborted();
      const pages = [...files]
        .map(([file, { text, version }]) => ({ file, bytes: text.length, modifiedMs: version }))
        .sort((a, b) => (a.file < b.file ? -1 : 1));
      return { pages, omissions: [] };
    }),
  };
}

function storeInMemory(): IndexStore & { records: Uint8Array[]; appended: number } {
  const collect = async (records: AsyncIterable<Uint8Array>) => {
    const all: Uint8Array[] = [];
    for await (const record of records) all.push(record);
    return all;
  };
  return {
    records: [],
    appended: 0,
    async *load() {
      yield* this.records;
    },
    async save(records) {
      this.records = await collect(records);
    },
    async append(records) {
      const added = await collect(records);
      this.records = [...this.records, ...added];
      this.appended += added.reduce((sum, { length }) => sum + length, 0);
    },
  };
}

const docs = {
  "alerts.md":
    "# Alerts\n\nAn alert fires when its rule holds.\n\n## Silences\n\nA silence mutes an alert.\n",
  "storage.md": "# Storage\n\nBlocks are kept on disk.\n",
};

/** Meaning, for tests: how often a text speaks of quiet things. */
const embedder: Embedder = {
  id: "quiet-1",
  dimensions: 2,
  embed: async (texts) => texts.map((text) => (/quiet|mute/i.test(text) ? [1, 0] : [0, 1])),
};

describe("openKnowledgeBase", () => {
  it("reads every page and finds sections", async () => {
    const onProgress = vi.fn();
    const base = await openKnowledgeBase({ source: pagesOf(docs), onProgress });

    const { hits } = await base.search("mute an alert");

    expect(hits[0]?.section).toMatchObject({ file: "alerts.md", anchor: "silences" });
    expect(base.files()).toEqual(["alerts.md", "storage.md"]);
    expect(base.report.changed).toEqual(["alerts.md", "storage.md"]);
    expect(onProgress).toHaveBeenLastCalledWith({ done: 2, total: 2, file: "storage.md" });
  });

  it("finds a section by anchor, heading, path, and none by a name it does not have", async () => {
    const base = await openKnowledgeBase({ source: pagesOf(docs) });

    for (const name of ["silences", "#silences", "Silences", "## Silences", "Alerts > Silences"]) {
      expect(base.section("alerts.md", name)?.heading).toBe("Silences");
    }
    expect(base.section("alerts.md")?.heading).toBe("Alerts");
    expect(base.section("alerts.md", "Quotas")).toBeUndefined();
    expect(base.section("../alerts.md", "Silences")).toBeUndefined();
  });

  it("reads only what changed, and forgets what is gone", async () => {
    const source = pagesOf(docs);
    const base = await openKnowledgeBase({ source });
    source.read.mockClear();
    source.put("alerts.md", "# Alerts\n\nNothing about that.\n");
    source.put("new.md", "# Quotas\n");
    source.files.delete("storage.md");

    const report = await base.refresh();

    expect(report).toEqual({
      changed: ["alerts.md", "new.md"],
      removed: ["storage.md"],
      omissions: [],
    });
    expect(source.read).toHaveBeenCalledTimes(2);
    expect((await base.search("silence")).hits).toEqual([]);
    expect(base.page("storage.md")).toBeUndefined();
  });

  it("leaves out what is not text and says so", async () => {
    const base = await openKnowledgeBase({
      source: pagesOf({ ...docs, "x.md": Uint8Array.of(35, 0, 1) }),
    });

    expect(base.report.omissions).toMatchObject([{ file: "x.md", reason: "binary" }]);
    expect(base.files()).toEqual(["alerts.md", "storage.md"]);
  });

  it("opens from a store without reading a page, and searches the same", async () => {
    const store = storeInMemory();
    const source = pagesOf(docs);
    const first = await openKnowledgeBase({ source, store });
    await first.saved();
    source.read.mockClear();

    const again = await openKnowledgeBase({ source, store });

    expect(source.read).not.toHaveBeenCalled();
    expect(await again.search("mute an alert")).toEqual(await first.search("mute an alert"));
    expect(again.page("alerts.md")).toEqual(first.page("alerts.md"));
  });

  it("reads what changed since it was stored, and stores it", async () => {
    const store = storeInMemory();
    const source = pagesOf(docs);
    await (await openKnowledgeBase({ source, store })).saved();
    source.put("storage.md", "# Storage\n\nTapes.\n");

    const again = await openKnowledgeBase({ source, store });
    await again.saved();
    const third = await openKnowledgeBase({ source, store });

    expect(again.report.changed).toEqual(["storage.md"]);
    expect(third.report.changed).toEqual([]);
    expect((await third.search("tapes")).hits).toHaveLength(1);
  });

  it("adds a changed page to the store rather than saving all, and finds the same when it is opened again", async () => {
    const texts = Array.from({ length: 60 }, (_, place): [string, string] => [
      `${place}.md`,
      `# Page ${place}\n\nText of ${place}, with words such as ${"lorem ".repeat(200)}.\n`,
    ]);
    const store = storeInMemory();
    const save = vi.spyOn(store, "save");
    const source = pagesOf(Object.fromEntries(texts));
    const base = await openKnowledgeBase({ source, store, embedder });
    await base.embedded();
    await base.saved();
    save.mockClear();
    const whole = store.records.reduce((sum, { length }) => sum + length, 0);
    store.appended = 0;
    source.put("7.md", "# Silos\n\nA quiet place for grain.\n\n## Elevators\n\nThey lift it.\n");
    source.files.delete("8.md");

    await base.refresh();
    await base.embedded();
    expect(await base.saved()).toBe(true);

    expect(save).not.toHaveBeenCalled();
    expect(store.appended).toBeGreaterThan(0);
    expect(store.appended).toBeLessThan(whole / 10);
    source.read.mockClear();
    const embed = vi.fn(embedder.embed);
    const again = await openKnowledgeBase({ source, store, embedder: { ...embedder, embed } });
    await again.embedded();
    expect(source.read).not.toHaveBeenCalled();
    expect(embed).not.toHaveBeenCalled();
    expect(again.files()).toEqual(base.files());
    expect(again.page("7.md")).toEqual(base.page("7.md"));
    for (const query of ["quiet grain elevators", "text of 8", "page 7", "page 30"]) {
      expect(await again.search(query)).toEqual(await base.search(query));
    }
  });

  it("saves all pages again once more was added than they take", async () => {
    const store = storeInMemory();
    const save = vi.spyOn(store, "save");
    const large = (place: number) => `# Page ${place}\n\n${`word${place} `.repeat(150_000)}\n`;
    const source = pagesOf({ ...docs, "a.md": "# A\n", "b.md": "# B\n" });
    const base = await openKnowledgeBase({ source, store });
    await base.saved();
    save.mockClear();
    let changes = 0;
    while (save.mock.calls.length === 0 && changes < 20) {
      source.put("a.md", large(changes++));
      await base.refresh();
      await base.saved();
    }

    expect(changes).toBeGreaterThan(2);
    expect(changes).toBeLessThan(10);
    const again = await openKnowledgeBase({ source, store });
    expect(again.report).toEqual({ changed: [], removed: [], omissions: [] });
    expect(again.page("a.md")).toEqual(base.page("a.md"));
  });

  it("saves all pages when the store has others meanwhile", async () => {
    const store = storeInMemory();
    const source = pagesOf(docs);
    const base = await openKnowledgeBase({ source, store });
    await base.saved();
    vi.spyOn(store, "append").mockRejectedValueOnce(new Error("another process"));
    source.put("alerts.md", "# Alerts\n\nSirens.\n");

    await base.refresh();

    expect(await base.saved()).toBe(true);
    const again = await openKnowledgeBase({ source, store });
    expect(again.report).toEqual({ changed: [], removed: [], omissions: [] });
    expect((await again.search("sirens")).hits).toHaveLength(1);
  });

  it("reads again what the store has lost of an addition", async () => {
    const store = storeInMemory();
    const source = pagesOf(docs);
    const base = await openKnowledgeBase({ source, store });
    await base.saved();
    source.put("alerts.md", "# Alerts\n\nSirens.\n");
    await base.refresh();
    await base.saved();
    store.records.pop();

    const again = await openKnowledgeBase({ source, store });

    expect(again.report.changed).toEqual(["alerts.md"]);
    expect((await again.search("sirens")).hits).toHaveLength(1);
  });

  it("builds anew from a store that is damaged, and says so once", async () => {
    const store = storeInMemory();
    store.records = [Uint8Array.of(1, 2, 3)];
    const base = await openKnowledgeBase({ source: pagesOf(docs), store });

    expect(base.report.storeProblem).toBe("corrupt");
    expect((await base.search("alert")).hits).not.toEqual([]);
    expect(await base.saved()).toBe(true);
    expect((await base.refresh()).storeProblem).toBeUndefined();
    expect(
      (await openKnowledgeBase({ source: pagesOf(docs), store })).report.storeProblem,
    ).toBeUndefined();
  });

  it("works when the store fails", async () => {
    const store: IndexStore = {
      load: () => {
        throw new Error("no");
      },
      save: () => Promise.reject(new Error("no")),
      append: () => Promise.reject(new Error("no")),
    };

    const base = await openKnowledgeBase({ source: pagesOf(docs), store });

    expect((await base.search("alert")).hits).not.toEqual([]);
    expect(await base.saved()).toBe(false);
    expect(base.report.storeProblem).toBe("not-saved");
  });

  it("waits for no store that never ends saving, until it is closed", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const store = { ...storeInMemory(), save: () => new Promise<void>(() => {}) };
    const base = await openKnowledgeBase({ source: pagesOf(docs), store });

    expect((await base.search("alert")).hits).not.toEqual([]);
    const closed = base.close();
    await vi.advanceTimersByTimeAsync(5_000);
    await closed;
  });

  it("fuses nearness of meaning into the ranking where an embedder is given", async () => {
    const base = await openKnowledgeBase({ source: pagesOf(docs), embedder });
    expect(await base.embedded()).toBe(true);

    const { hits, embedding } = await base.search("quiet");

    expect(embedding).toMatchObject({ used: true });
    const { nearest = 0, best = 0 } = embedding?.similarity ?? {};
    expect(nearest).toBeGreaterThanOrEqual(best);
    expect(best).toBeGreaterThan(0);
    expect(hits[0]?.section.heading).toBe("Silences");
  });

  it("prefers, of sections as near in meaning, the one whose page is near too", async () => {
    const cups: Embedder = {
      ...embedder,
      embed: async (texts) => texts.map((text) => (/zarf|cup/i.test(text) ? [1, 0] : [0, 1])),
    };
    const pages = {
      "a.md": "# Notes\n\nA cup.\n\n## Blocks\n\nOn disk.\n\n## Rules\n\nThey hold.\n",
      "b.md": "# Notes\n\nA cup.\n\n## Blocks\n\nOf cups.\n\n## Rules\n\nFor cups.\n",
    };
    const base = await openKnowledgeBase({ source: pagesOf(pages), embedder: cups });
    await base.embedded();

    const { hits } = await base.search("zarf");

    expect(hits[0]?.section.file).toBe("b.md");
  });

  it("embeds only once what is stored", async () => {
    const store = storeInMemory();
    const embed = vi.fn(embedder.embed);
    const source = pagesOf(docs);
    const first = await openKnowledgeBase({ source, store, embedder: { ...embedder, embed } });
    await first.embedded();
    await first.saved();
    embed.mockClear();

    const again = await openKnowledgeBase({ source, store, embedder: { ...embedder, embed } });
    await again.embedded();

    expect(embed).not.toHaveBeenCalled();
  });

  it.each<[string, Embedder["embed"]]>([
    ["rejects", () => Promise.reject(new Error("key sk-hidden"))],
    ["gives too few vectors", async () => []],
    ["gives vectors of another length", async (texts) => texts.map(() => [1])],
    ["gives no numbers", async (texts) => texts.map(() => [Number.NaN, 1])],
  ])("ranks by words and says so when the embedder %s", async (_, embed) => {
    const base = await openKnowledgeBase({
      source: pagesOf(docs),
      embedder: { ...embedder, embed },
    });
    await base.embedded();
    const byWords = await openKnowledgeBase({ source: pagesOf(docs) });

    const { embedding, ...result } = await base.search("mute an alert");

    expect(result).toEqual(await byWords.search("mute an alert"));
    expect(embedding?.used).toBe(false);
    expect(base.report.embeddingProblem).toContain("quiet-1");
    expect(JSON.stringify([embedding, base.report])).not.toContain("hidden");
  });

  it("does not read again what is not text, until it changes", async () => {
    const source = pagesOf({ "x.md": Uint8Array.of(35, 0) });
    const base = await openKnowledgeBase({ source });
    source.read.mockClear();

    const report = await base.refresh();

    expect(source.read).not.toHaveBeenCalled();
    expect(report.omissions).toMatchObject([{ file: "x.md", reason: "binary" }]);
    source.put("x.md", "# X");
    expect(await base.refresh()).toEqual({ changed: ["x.md"], removed: [], omissions: [] });
  });

  it("sees a change after a look that failed", async () => {
    const source = pagesOf(docs);
    const base = await openKnowledgeBase({ source });
    source.put("new.md", "# Quotas\n");
    source.list.mockRejectedValueOnce(new Error("lost"));

    await expect(base.refresh()).rejects.toThrow("lost");
    await base.refresh();

    expect(base.files()).toContain("new.md");
  });

  it("rejects with the signal's reason, and when the pages cannot be listed", async () => {
    const reason = new Error("enough");
    const source = pagesOf(docs);

    await expect(openKnowledgeBase({ source, signal: AbortSignal.abort(reason) })).rejects.toBe(
      reason,
    );
    source.list.mockRejectedValue(new Error("no folder"));
    await expect(openKnowledgeBase({ source })).rejects.toThrow("no folder");
  });

  it("lets no one change it twice at once", async () => {
    const source = pagesOf(docs);
    const base = await openKnowledgeBase({ source });
    source.put("alerts.md", "# Alerts\n\nchanged\n");

    const [first, second] = await Promise.all([base.refresh(), base.refresh()]);

    expect(first.changed).toEqual(["alerts.md"]);
    expect(second.changed).toEqual([]);
  });

  it("searches a stored index of many sections as one built afresh, also after changes", async () => {
    const words = ["alert", "silence", "block", "disk", "rule", "label", "retry"];
    const pageOf = (page: number) =>
      Array.from({ length: 30 }, (_, at) => {
        const chosen = words.filter((_, place) => (page + at) % (place + 2) === 0);
        return `## ${words[(page * at) % 7]} n${page}x${at}\n\n${chosen.join(" ")} of page ${page}.\n`;
      }).join("\n");
    const source = pagesOf(
      Object.fromEntries(Array.from({ length: 50 }, (_, page) => [`${page}.md`, pageOf(page)])),
    );
    const store = storeInMemory();
    const first = await openKnowledgeBase({ source, store });
    await first.saved();
    await first.close();
    const again = await openKnowledgeBase({ source, store });
    const same = async () => {
      const fresh = await openKnowledgeBase({ source });
      for (const query of ["silence an alert", "retry the block on disk", "label rule n7x4"]) {
        expect(await again.search(query)).toEqual(await fresh.search(query));
      }
      return fresh.size;
    };

    expect(again.report.changed).toEqual([]);
    expect(await same()).toBe(1_500);
    source.put("3.md", "# Silence\n\nAn alert is quiet.\n");
    source.files.delete("4.md");
    await again.refresh();
    expect(await same()).toBe(1_441);
    await again.close();
  });
});

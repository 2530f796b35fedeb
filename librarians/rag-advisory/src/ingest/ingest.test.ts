import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createMemoryStore } from "../store/memory-store.js";
import type { Chunk, VectorStore } from "../store/vector-store.js";
import { ingest } from "./ingest.js";
import type { IngestOptions, IngestProgress, IngestReport } from "./options.js";

let root: string;
let store: VectorStore;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "ingest-"));
  store = createMemoryStore();
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

async function write(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

async function put(options: IngestOptions = {}): Promise<IngestReport> {
  return ingest(store, [root], { root, country: "IN", ...options });
}

async function found(text: string): Promise<readonly Chunk[]> {
  const hits = await store.search({ text, country: "IN", limit: 1_000 });
  return hits.map(({ chunk }) => chunk);
}

const rows = (): Promise<readonly Chunk[]> => store.rows({ country: "IN", limit: 1_000 });

const note = `---
title: Vizag market
country: IN
city: Visakhapatnam
date: 2026-09-30
source: Coastal Desk
source_type: market data
url: https://example.com/vizag
---
# Vizag market

Demand is steady.

## Prices

| Locality | Rate |
| --- | --- |
| Madhurawada | 5,200 |
`;

describe("ingest", () => {
  it("reads Markdown: what the front matter says, a chunk for the text under each heading", async () => {
    await write("notes/vizag.md", note);

    expect(await put()).toEqual({
      files: 1,
      chunks: 2,
      added: 2,
      unchanged: 0,
      removed: 0,
      problems: [],
      problemCount: 0,
    });

    const [prices] = await found("Madhurawada rate");
    expect(prices?.text).toBe("Locality | Rate\nMadhurawada | 5,200");
    expect(prices?.metadata).toEqual({
      country: "IN",
      document: "notes/vizag.md",
      city: "Visakhapatnam",
      date: "2026-09-30",
      source: "Coastal Desk",
      sourceType: "MARKET_DATA",
      url: "https://example.com/vizag",
      title: "Vizag market > Prices",
    });
  });

  it("reads the state of a city by name or code, and takes no other state for one", async () => {
    await write("homes.csv", "country,city,state,price\nUS,Springfield,MO,300000\n");
    await write("flats.csv", "city,state,price\nSalem,as new,4800000\n");

    expect((await put()).problems).toEqual([]);

    const [home] = await store.rows({ country: "US", limit: 9 });
    const [flat] = await rows();
    expect(home?.metadata).toMatchObject({ city: "Springfield", region: "Missouri" });
    expect(flat?.metadata.region).toBeUndefined();
    expect(flat?.metadata.row).toMatchObject({ state: "as new" });
  });

  it("cuts text into chunks of 1,200 characters with 100 of overlap, when nothing else is said", async () => {
    await write("long.md", `# Long\n\n${"a".repeat(1_201)}`);
    await write("short.md", `# Short\n\n${"b".repeat(1_200)}`);

    expect(await put()).toMatchObject({ chunks: 3 });

    const lengths = (await found("long short")).map(({ text }) => `${text[0]}${text.length}`);
    expect([...lengths].sort()).toEqual(["a101", "a1200", "b1200"]);
  });

  it("cuts by its options", async () => {
    await write("long.md", `# Long\n\n${"a".repeat(250)}`);

    await put({ chunkLength: 100, chunkOverlap: 0 });

    expect((await found("long")).map(({ text }) => text.length).sort()).toEqual([100, 100, 50]);
  });

  it("reads CSV: a chunk for each row, numbers as numbers, the rest as it stands", async () => {
    await write(
      "sales.csv",
      '\ufeffCity,Locality,Price,Area sqft,Date,Source,Plot\r\nVizag,"Gajuwaka, west",4800000,1050.5,2026-08-01,Registry,007\r\nVizag,MVP,,900,2026-07,,1\r\n',
    );

    expect(await put({ source: "Sales", sourceType: "GOVERNMENT" })).toMatchObject({ added: 2 });

    const [latest, older] = await rows();
    expect(latest?.metadata).toEqual({
      country: "IN",
      document: "sales.csv",
      city: "Vizag",
      date: "2026-08-01",
      source: "Registry",
      sourceType: "GOVERNMENT",
      row: {
        City: "Vizag",
        Locality: "Gajuwaka, west",
        Price: 4_800_000,
        "Area sqft": 1_050.5,
        Date: "2026-08-01",
        Source: "Registry",
        Plot: "007",
      },
    });
    expect(latest?.text).toBe(
      "City: Vizag; Locality: Gajuwaka, west; Price: 4800000; Area sqft: 1050.5; Date: 2026-08-01; Plot: 007",
    );
    // A month counts as its first day; the row keeps what was given.
    expect(older?.metadata).toMatchObject({
      date: "2026-07-01",
      source: "Sales",
      row: { Date: "2026-07" },
    });
    expect(older?.metadata.row).not.toHaveProperty("Price");
  });

  it.each([
    ["semicolons", "a;b\n1;x, y\n", undefined],
    ["tabs", "a\tb\n1\tx, y\n", undefined],
    ["UTF-16", "a;b\n1;x, y\n", "utf16le"],
  ] as const)("reads CSV with %s", async (_, text, encoding) => {
    await write("t.csv", encoding === undefined ? text : Buffer.from(`\ufeff${text}`, encoding));

    await put();

    expect((await rows())[0]?.metadata.row).toEqual({ a: 1, b: "x, y" });
  });

  it("reads JSON: data rows and texts, from arrays, single objects and lines", async () => {
    const text = JSON.stringify({ text: "Rera is the law.", title: "Law", source: "Gazette" });
    await write("a.json", `[\n{"price": 1, "isNew": true, "none": null}, ${text}]`);
    await write("b.json", '{\n "price": 2 }');
    await write("c.jsonl", `{"price": 3}\n\n{"price": 4}`);

    expect(await put()).toMatchObject({ files: 3, added: 5, problems: [] });

    const prices = (await rows()).map(({ metadata }) => metadata.row?.price);
    expect([...prices].sort()).toEqual([1, 2, 3, 4]);
    expect((await found("rera law"))[0]).toMatchObject({
      text: "Rera is the law.",
      metadata: { title: "Law", source: "Gazette" },
    });
  });

  it("adds nothing the second time", async () => {
    await write("a.md", note);
    await write("b.csv", "price\n1\n1\n2\n");
    const first = await put();

    const second = await put();

    expect(first).toMatchObject({ added: 5, unchanged: 0 });
    expect(second).toMatchObject({ added: 0, unchanged: 5, removed: 0 });
    // Rows that are the same stay as many as there are.
    expect(await rows()).toHaveLength(3);
  });

  it("puts what a changed document says in place of what it said", async () => {
    await write("a.csv", "price\n1\n2\n");
    await write("b.csv", "price\n9\n");
    await put();
    await write("a.csv", "price\n2\n3\n");

    expect(await put()).toMatchObject({ added: 1, unchanged: 2, removed: 1 });

    const prices = (await rows()).map(({ metadata }) => metadata.row?.price);
    expect([...prices].sort()).toEqual([2, 3, 9]);
  });

  it("takes other metadata for a change", async () => {
    await write("a.csv", "price\n1\n");
    await put();

    expect(await put({ country: "US" })).toMatchObject({ added: 1, removed: 1 });

    expect(await rows()).toEqual([]);
  });

  it("says file, line and key of what it cannot take, and takes the rest", async () => {
    await write(
      "a.csv",
      "country,price,date\nIN,1,2026-01-01\nFR,2,2026-01-01\nIN,3,2026-02-30\nIN,4\nGB,5,\n",
    );
    await write("b.json", '[{"price": 1},\n{"price": },\n7,\n{"price": {"low": 1}}, {"price": 2}]');
    await write("c.md", "---\ncountry: FR\n---\nText\n");

    const { problems, problemCount, added } = await put({ country: undefined });

    expect(added).toBe(3);
    expect(problems).toEqual([
      {
        file: "a.csv",
        line: 3,
        key: "country",
        message: 'expected a country (IN, US, UK), got "FR"',
      },
      {
        file: "a.csv",
        line: 4,
        key: "date",
        message:
          'expected an ISO 8601 date such as 2026-10-01, got "2026-02-30"; the field is left out',
      },
      { file: "a.csv", line: 5, message: "expected 3 values, one for every column, got 2" },
      expect.objectContaining({ file: "b.json", line: 1, key: "country" }),
      { file: "b.json", line: 2, message: "expected a JSON object, got something that is no JSON" },
      { file: "b.json", line: 3, message: "expected a JSON object, got 7" },
      expect.objectContaining({ file: "b.json", line: 4, key: "country" }),
      expect.objectContaining({ file: "b.json", line: 4, key: "country" }),
      {
        file: "c.md",
        line: 1,
        key: "country",
        message: 'expected a country (IN, US, UK), got "FR"',
      },
    ]);
    expect(problemCount).toBe(9);
  });

  it("leaves out a nested value, a source type and an address it does not take, and names their keys", async () => {
    await write(
      "a.json",
      '[{"price": {"low": 1}}, {"source_type": "BLOG", "p": 1}, {"url": "javascript:alert(1)", "p": 1}, {"url": "https://u:secret@h/", "p": 1}]',
    );

    const { problems, added } = await put();

    expect(added).toBe(3);
    expect(problems.map(({ key }) => key)).toEqual(["price", "source_type", "url", "url"]);
    expect(JSON.stringify(await rows())).not.toMatch(/BLOG|javascript|secret|low/);
  });

  it("keeps a document whose front matter has one wrong field, without the field", async () => {
    await write(
      "a.md",
      "---\ncountry: IN\ndate: soon\ncity: Vizag\n---\n\n# Notes\n\nPlots sold.\n",
    );

    const { added, files, problems } = await put({ country: undefined });

    expect({ added, files }).toEqual({ added: 1, files: 1 });
    expect(problems).toMatchObject([{ file: "a.md", key: "date" }]);
    const [found] = await store.search({ text: "plots", country: "IN", limit: 1 });
    expect(found?.chunk.metadata).toMatchObject({ country: "IN", city: "Vizag" });
    expect(found?.chunk.metadata.date).toBeUndefined();
  });

  it("takes quotes inside a value as they stand", async () => {
    await write("a.csv", 'price,note\n1,a\n2,"b" c\n3,5" wide\n4,"said ""so"""\n');

    expect(await put()).toMatchObject({ added: 4, problems: [] });

    const notes = (await rows()).map(({ metadata }) => metadata.row?.note);
    expect(notes).toEqual(expect.arrayContaining(["a", '"b" c', '5" wide', 'said "so"']));
  });

  it("keeps what a document was before when it can no longer be read to its end", async () => {
    await write("a.csv", "price\n1\n2\n");
    await put();
    await write("a.csv", `price\n3\n"${"never closed ".repeat(100_000)}`);

    const report = await put();

    expect(report.problems).toMatchObject([{ file: "a.csv", line: 3 }]);
    expect(report).toMatchObject({ files: 0, removed: 0, problemCount: 1 });
    const prices = (await rows()).map(({ metadata }) => metadata.row?.price);
    expect([...prices].sort()).toEqual([1, 2, 3]);
  });

  it.each([
    ["a column without a name", "a.csv", "a,\n1,2\n"],
    ["a column that stands twice", "a.csv", "a,a\n1,2\n"],
    ["a column with a name that is too long", "a.csv", `${"a".repeat(201)}\n1\n`],
    ["no UTF-8", "a.csv", Buffer.from([0x61, 0x0a, 0xff, 0xfe, 0xfd])],
    ["binary data", "a.md", Buffer.from([1, 0, 2])],
    ["JSON that never ends", "a.json", `[{"a": "${"x".repeat(1_100_000)}`],
  ])("says what is wrong with a file with %s", async (_, file, content) => {
    await write(file, content);

    expect(await put()).toMatchObject({
      files: 0,
      problems: [{ file, message: expect.any(String) }],
    });
  });

  it("takes files in order and known kinds alone, follows no links, and says what it left out", async () => {
    await write("b.csv", "p\n1\n");
    await write("a/deep/x.md", "# X\n\nText.\n");
    await write("photo.jpg", "no");
    await write(".hidden/x.csv", "p\n1\n");
    await write("node_modules/x.csv", "p\n1\n");
    await symlink("/etc/hosts", join(root, "link.csv"));
    const seen: string[] = [];

    const { problems } = await put({ onProgress: ({ file }) => seen.push(file) });

    expect([...new Set(seen)]).toEqual(["a/deep/x.md", "b.csv"]);
    expect(problems).toEqual([{ file: "link.csv", message: "a link is not followed" }]);
  });

  it("refuses a pipe by its name, given or found, and does not wait for its other end", async () => {
    execFileSync("mkfifo", [join(root, "pipe.csv")]);
    const given = await ingest(store, [join(root, "pipe.csv")], { root });
    const found = await put();

    const problems = [{ file: "pipe.csv", message: "is a FIFO, not a file." }];
    expect(given.problems).toEqual(problems);
    expect(found.problems).toEqual(problems);
  });

  it("refuses a file that grows while it is read", async () => {
    const rows = `${"1".repeat(2_000)}\n`.repeat(1_000);
    await write("a.csv", `price\n${rows}`);
    const slow: VectorStore = {
      ...store,
      async add(chunks, options) {
        await appendFile(join(root, "a.csv"), "2\n");
        return store.add(chunks, options);
      },
    };

    const { problems, files } = await ingest(slow, [root], { root, country: "IN" });

    expect(files).toBe(0);
    expect(problems).toMatchObject([{ file: "a.csv", message: expect.stringContaining("grew") }]);
  });

  it("gives up a document of which too many parts cannot be read", async () => {
    await write("a.jsonl", "-\n".repeat(50_000));

    const { problemCount, files } = await put();

    expect(files).toBe(0);
    expect(problemCount).toBe(10_001);
  });

  it("takes a column of any name for what it is", async () => {
    await write("a.csv", "constructor,__proto__,price\nAda,x,1\n");

    const { chunks, problems } = await put();

    expect(problems).toEqual([]);
    expect(chunks).toBe(1);
    expect((await rows())[0]?.metadata.row).toMatchObject({ constructor: "Ada", price: 1 });
  });

  it.each([
    ["csv", "price\n", "1\n", 11_500],
    ["json", "", '{"p":1}\n', 17_000],
  ])("gives up a %s of rows too short to be any", async (kind, head, row, count) => {
    await write(`a.${kind}`, head + row.repeat(count));
    const bytes = head.length + row.length * count;
    const most = 10_000 + Math.floor(bytes / 20);

    const { chunks, problems } = await put();

    expect(chunks).toBe(most);
    expect(problems).toMatchObject([
      { message: `gave up after ${most} parts: they have fewer than 20 bytes on average` },
    ]);
  });

  it("lets other work of the process have its turn", async () => {
    await write("a.csv", `price\n${"1\n".repeat(20_000)}`);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);

    await put();
    clearInterval(timer);

    expect(turns).toBeGreaterThan(5);
  });

  it("says that a path is not there or of an unknown kind", async () => {
    await write("photo.jpg", "no");

    const report = await ingest(store, [join(root, "none.md"), join(root, "photo.jpg")], { root });

    expect(report.problems.map(({ message }) => message)).toEqual([
      "file not found",
      "expected .md, .markdown, .csv, .tsv, .json, .jsonl or .ndjson",
    ]);
  });

  it("leaves out files beyond the bounds, and says so", async () => {
    for (const name of ["a", "b", "c"]) await write(`${name}.csv`, "p\n1\n");
    await write("big.csv", "p\n");
    await truncate(join(root, "big.csv"), 2_000);

    const { problems, files } = await put({ maxFiles: 2, maxFileBytes: 1_000 });

    expect(files).toBe(2);
    expect(problems.map(({ message }) => message)).toEqual([
      "expected at most 1000 bytes (maxFileBytes), got 2000",
      "expected at most 2 files (maxFiles); 1 more were left out",
    ]);
  });

  it("lists problems one by one up to a number, and counts the others", async () => {
    await write("a.csv", `date\n${"never\n".repeat(50)}`);

    const { problems, problemCount } = await put({ maxProblems: 3 });

    expect(problems).toHaveLength(3);
    expect(problemCount).toBe(50);
  });

  it("reports how far it is", async () => {
    await write("a.csv", `p\n${Array.from({ length: 1_200 }, (_, at) => at).join("\n")}`);
    const told: IngestProgress[] = [];

    await put({ onProgress: (progress) => told.push(progress) });

    expect(told.map(({ chunks }) => chunks)).toEqual([500, 1_000, 1_200, 1_200]);
    expect(told.at(-1)).toEqual({
      file: "a.csv",
      filesDone: 1,
      files: 1,
      chunks: 1_200,
      added: 1_200,
    });
  });

  it("ends with the signal's reason; what was added stays, and the next time continues from there", async () => {
    await write("a.csv", `p\n${Array.from({ length: 1_200 }, (_, at) => at).join("\n")}`);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort("enough");

    await expect(put({ onProgress, signal: controller.signal })).rejects.toBe("enough");

    expect(await store.health()).toMatchObject({ chunks: 500 });
    expect(await put()).toMatchObject({ added: 700, unchanged: 500 });
    await expect(put({ signal: controller.signal })).rejects.toBe("enough");
  });

  it.each([
    [{ chunkLength: 99 }, "chunkLength"],
    [{ chunkOverlap: 601 }, "chunkOverlap"],
    [{ maxFiles: 0 }, "maxFiles"],
    [{ maxFileBytes: 1.5 }, "maxFileBytes"],
    [{ maxProblems: -1 }, "maxProblems"],
    [{ country: "FR" as "UK" }, "country"],
    [{ sourceType: "BLOG" as "GOVERNMENT" }, "sourceType"],
    [{ date: "yesterday" }, "date"],
    [{ url: "file:///etc/passwd" }, "url"],
  ])("refuses the option %o", async (options, name) => {
    await expect(put(options)).rejects.toThrow(RangeError);
    await expect(put(options)).rejects.toThrow(name);
  });
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { toPlainText, withoutPersonalData } from "./advisory/plain-text.js";
import { readAreas } from "./country/area.js";
import { readAmounts } from "./country/money.js";
import { ingest } from "./ingest/ingest.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";
import { splitSentences } from "./rules/tokens.js";
import { createMemoryStore } from "./store/memory-store.js";

/** What makes patterns and parsers slow: the same few marks over and over, with an end that does not fit. */
const pieces = [
  "A. ",
  "no. A ",
  "! A",
  ".'",
  "<!--",
  "[a](",
  "![",
  "|",
  "-\n",
  "--- ",
  "\n\t \t",
  "\n\r",
  " ",
  "1,",
  "12345 ",
  "a@a.",
  "a",
  "+1 ",
  "$1 to ",
  "1 sq ",
  "in Aa Bb ",
  "Vizag, ",
  "London or ",
  "we highly ",
  "people a ",
  "e\u0301",
];
const kibibytes = 256;
const shorter = 8;
/** Each piece over and over: a text of 256 KiB, and one an eighth as long. */
const cases = pieces.map((piece) => {
  const repeated = (length: number) => `${piece.repeat(length / piece.length)}\u0000x`;
  return [
    JSON.stringify(piece),
    repeated(kibibytes * 1024),
    repeated((kibibytes * 1024) / shorter),
  ] as const;
});

/** CPU time of some work, in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/**
 * Fails when work on the long text costs more than three times its share of work on the short one. Work in
 * proportion costs 8 times as much, quadratic work 64 times; both are measured in this run, so that a slow machine
 * slows both. What costs under 20 ms is too little to compare.
 */
async function expectProportion(work: (text: string) => unknown, long: string, short: string) {
  const base = await costOf(() => work(short));
  const cost = await costOf(() => work(long));
  expect(cost, work.name).toBeLessThan(3 * shorter * Math.max(base, 20));
}

describe("hostile text", () => {
  it.each(cases)("costs no more than its length when it repeats %s", async (_, long, short) => {
    const readers = [toPlainText, withoutPersonalData, splitSentences, readAmounts, readAreas];
    for (const read of readers) await expectProportion(read, long, short);
  });

  it.each(cases)(
    "is ingested at the cost of its length when it repeats %s",
    async (_, long, short) => {
      const ingestText = async (text: string) => {
        const root = await mkdtemp(join(tmpdir(), "hostile-"));
        onTestFinished(() => rm(root, { recursive: true, force: true }));
        const bare = text.replaceAll("\u0000", "");
        await writeFile(join(root, "a.json"), JSON.stringify([{ text: bare }]));
        await writeFile(join(root, "a.jsonl"), bare);
        await ingest(createMemoryStore(), [root], { root, country: "IN" });
      };

      await expectProportion(ingestText, long, short);
    },
  );

  it.each(cases)("is a query like any other when it repeats %s", async (_, long, short) => {
    const { librarian } = createRagAdvisoryLibrarian({ store: createMemoryStore() });
    const ask = (text: string) => librarian(`flat prices in Vizag ${text}`);

    // Of a query the first 8,000 characters are read.
    await expectProportion(ask, long, short);
  });
});

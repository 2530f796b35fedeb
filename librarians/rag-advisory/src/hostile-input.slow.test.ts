import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { plainText, withoutPersonalData } from "./advisory/plain-text.js";
import { readAreas } from "./country/area.js";
import { readAmounts } from "./country/money.js";
import { ingest } from "./ingest/ingest.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";
import { sentencesOf } from "./rules/sentences.js";
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
const cases = pieces.map((piece) => [
  JSON.stringify(piece),
  `${piece.repeat((kibibytes * 1024) / piece.length)}\u0000x`,
]);

/** CPU time of some work, in milliseconds for a MiB of {@link cases}: a busy machine does not change it. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000) * (1_024 / kibibytes);
}

/** 250 ms for a MiB, with room for a slow machine: what is not linear takes a hundred times as long. */
const maxCost = 2_500;

describe("hostile text", () => {
  it.each(cases)("costs no more than its length when it repeats %s", async (_, text = "") => {
    const readers = [plainText, withoutPersonalData, sentencesOf, readAmounts, readAreas];
    for (const read of readers) {
      expect(await costOf(() => read(text)), read.name).toBeLessThan(maxCost);
    }
  });

  it.each(cases)(
    "is ingested at the cost of its length when it repeats %s",
    async (_, text = "") => {
      const root = await mkdtemp(join(tmpdir(), "hostile-"));
      onTestFinished(() => rm(root, { recursive: true, force: true }));
      const bare = text.replaceAll("\u0000", "");
      await writeFile(join(root, "a.json"), JSON.stringify([{ text: bare }]));
      await writeFile(join(root, "a.jsonl"), bare);

      const cost = await costOf(() => ingest(createMemoryStore(), [root], { root, country: "IN" }));

      expect(cost).toBeLessThan(2 * maxCost);
    },
  );

  it.each(cases)("is a query like any other when it repeats %s", async (_, text = "") => {
    const { librarian } = createRagAdvisoryLibrarian({ store: createMemoryStore() });

    const cost = await costOf(() => librarian(`flat prices in Vizag ${text}`));

    // Of a query the first 8,000 characters are read.
    expect(cost).toBeLessThan(maxCost);
  });
});

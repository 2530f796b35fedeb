import { join } from "node:path";
import { parseMarkdown } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { defaultData, readBenchmark, readPages } from "./benchmark.js";
import { miniSearchEngine, sectionEngine } from "./engines.js";
import { judge, meanOf } from "./metrics.js";

const benchmark = readBenchmark(defaultData, "dev");
if (benchmark === undefined) {
  console.warn("ranking.test.ts: skipped, the benchmark's folder is not there");
}

describe.skipIf(benchmark === undefined)("sections of real documentation", () => {
  it("are found more often than by minisearch, in every knowledge base", {
    timeout: 120_000,
  }, () => {
    const { corpus = "", knowledgeBases = [], queries = [] } = benchmark ?? {};
    for (const kb of knowledgeBases) {
      const pages = readPages(join(corpus, kb)).map(({ file, text }) =>
        parseMarkdown(text, { file }),
      );
      const asked = queries.filter((query) => query.kb === kb && query.type === "answerable");

      const [ours, theirs] = [sectionEngine(pages), miniSearchEngine(pages)].map((engine) =>
        meanOf(asked.map((query) => judge(query, engine.search(query.query)))),
      );

      expect(ours?.mrr10).toBeGreaterThan((theirs?.mrr10 ?? 1) + 0.1);
      expect(ours?.hit5).toBeGreaterThan(0.83);
    }
  });
});

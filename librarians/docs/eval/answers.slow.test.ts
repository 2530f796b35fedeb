import { describe, expect, it } from "vitest";
import { readBenchmark } from "../../../packages/retrieval/bench/benchmark.js";
import { retrievalData } from "./data-folder.js";
import { figuresOf } from "./figures.js";
import { measure } from "./measure.js";

const folder = retrievalData();
const benchmark = folder === undefined ? undefined : readBenchmark(folder, "dev");

describe.skipIf(benchmark === undefined)(
  "answers over real documentation (skipped without the data)",
  () => {
    it("NAV-002 NAV-032 cite what exists, word for word, refuse and say how sure they are", async () => {
      if (benchmark === undefined) return;

      // One in two: all of them are `npm run eval -w librarians/docs`.
      const queries = benchmark.queries.filter((_, place) => place % 2 === 0);
      const figures = figuresOf(await measure({ ...benchmark, queries }));

      expect(figures).toMatchObject({
        "citations that do not exist": 0,
        "sentences that are not verbatim": 0,
        "answers over 4,000 characters": 0,
      });
      expect(figures["out of domain: AUROC"]).toBeGreaterThan(0.92);
      expect(figures["out of domain caught at 5 % false refusals"]).toBeGreaterThan(0.65);
      expect(figures["high is right at top 1"]).toBeGreaterThan(0.85);
      expect(figures["high, share of answerable"]).toBeGreaterThan(0.15);
      // Fitted over more bases, most of them harder than these three: here confidence is somewhat low.
      expect(figures["confidence: ECE"]).toBeLessThan(0.14);
    }, 240_000);
  },
);

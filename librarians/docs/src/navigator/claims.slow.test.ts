import { describe, expect, it } from "vitest";
import { evaluateClaims } from "../../eval/claims.js";
import { retrievalData } from "../../eval/data-folder.js";

const folder = retrievalData();
if (folder === undefined) console.log("claims.test.ts: skipped, there is no data folder");

describe("validateNavigatorResponse, against statements of real documentation", () => {
  it.skipIf(folder === undefined)(
    "finds 98 % of made-up tokens, no fault with what is verbatim, and little with what people wrote",
    { timeout: 120_000 },
    () => {
      const figures = evaluateClaims(folder ?? "");

      expect(figures["made-up tokens found"].share).toBeGreaterThanOrEqual(0.98);
      expect(figures["verbatim sentences flagged"].flagged).toBe(0);
      expect(figures["human statements flagged"].share).toBeLessThanOrEqual(0.08);
    },
  );
});

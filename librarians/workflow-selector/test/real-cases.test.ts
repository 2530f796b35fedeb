import { describe, expect, it } from "vitest";
import type { CaseResult } from "../eval/case-result.js";
import { selectionData } from "../eval/data-folder.js";
import { runFilterCases } from "../eval/filter-cases.js";
import {
  runCorrectionCases,
  runGateCases,
  runParameterCases,
  runReplyCases,
} from "../eval/reply-cases.js";

const folder = selectionData();
const kinds: Readonly<Record<string, readonly CaseResult[]>> =
  folder === undefined
    ? {}
    : {
        "the label filter": await runFilterCases(folder),
        parameters: runParameterCases(folder),
        replies: runReplyCases(folder),
        corrections: runCorrectionCases(folder),
        gates: runGateCases(folder),
      };

/** The profile has no pages. */
const known = new Set(["fs-091"]);

describe.skipIf(folder === undefined)("the real cases (skipped without their data)", () => {
  it.each(Object.keys(kinds))(
    "of %s come out as expected where they follow the contract",
    (kind) => {
      const seeds = (kinds[kind] ?? []).filter(({ profile }) => profile === "seeds");

      expect(seeds.length).toBeGreaterThan(0);
      expect(seeds.filter(({ problem }) => problem !== undefined)).toEqual([]);
    },
  );

  it("of a later contract come out as expected under the profile kubernaut, but for pages", () => {
    const others = Object.values(kinds)
      .flat()
      .filter(({ profile }) => profile === "kubernaut");

    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ id, problem }) => problem !== undefined && !known.has(id))).toEqual([]);
  });
});

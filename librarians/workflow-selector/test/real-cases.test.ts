import { describe, expect, it } from "vitest";
import type { CaseResult } from "../eval/case-result.js";
import { runCorrectionCases } from "../eval/correction-cases.js";
import { selectionData } from "../eval/data-folder.js";
import { runFilterCases } from "../eval/filter-cases.js";
import { runGateCases } from "../eval/gate-cases.js";
import { runParameterCases } from "../eval/parameter-cases.js";
import { runReplyCases } from "../eval/reply-cases.js";

const folder = selectionData();
const kinds: Readonly<Record<string, readonly CaseResult[]>> =
  folder === undefined
    ? {}
    : {
        "the label filter": await runFilterCases(folder),
        parameters: runParameterCases(folder),
        replies: runReplyCases(folder),
        corrections: await runCorrectionCases(folder),
        gates: runGateCases(folder),
      };

/**
 * What the shipped parser reads otherwise: "nothing to do" is not given a confidence of its own, "high" is not a
 * confidence, and of two objects in a reply the last one counts.
 */
const otherwise = new Set(["parse-004", "parse-005", "parse-051", "parse-061"]);

describe.skipIf(folder === undefined)("the real cases (skipped without their data)", () => {
  it.each(Object.keys(kinds))(
    "of %s come out as expected where they follow the contract",
    (kind) => {
      const seeds = (kinds[kind] ?? []).filter(({ profile }) => profile === "seeds");

      expect(seeds.length).toBeGreaterThan(0);
      expect(seeds.filter(({ problem }) => problem !== undefined)).toEqual([]);
    },
  );

  it("of a later contract come out as expected under the profile kubernaut", () => {
    const others = Object.values(kinds)
      .flat()
      .filter(({ profile }) => profile === "kubernaut");

    expect(others.length).toBeGreaterThan(0);
    expect(others.filter(({ id, problem }) => problem !== undefined && !otherwise.has(id))).toEqual(
      [],
    );
  });
});

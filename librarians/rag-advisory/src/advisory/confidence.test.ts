import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Evidence, scoreConfidence } from "./confidence.js";

const evidence = fc.record({
  sources: fc.integer({ min: 0, max: 50 }),
  ageDays: fc.oneof(
    fc.double({ min: 0, max: 20_000, noNaN: true }),
    fc.constant(Number.POSITIVE_INFINITY),
  ),
  closeness: fc.double({ min: 0, max: 1, noNaN: true }),
  agreement: fc.double({ min: 0, max: 1, noNaN: true }),
});

/** Holds for any evidence and any other value of one part of it. */
function isMonotone<Part extends keyof Evidence>(
  part: Part,
  isBetter: (a: number, b: number) => boolean,
) {
  fc.assert(
    fc.property(evidence, evidence, (one, other) => {
      const changed = { ...one, [part]: other[part] };
      const [worse, better] = isBetter(other[part], one[part]) ? [one, changed] : [changed, one];
      expect(scoreConfidence(better)).toBeGreaterThanOrEqual(scoreConfidence(worse));
    }),
    { seed: 6, numRuns: 500 },
  );
}

describe("confidenceOf", () => {
  it("is a number from 0 to 1 for any evidence", () => {
    fc.assert(
      fc.property(evidence, (given) => {
        const confidence = scoreConfidence(given);
        expect(confidence).toBeGreaterThanOrEqual(0);
        expect(confidence).toBeLessThanOrEqual(1);
      }),
      { seed: 6 },
    );
  });

  it("is never lower for more sources", () => {
    isMonotone("sources", (a, b) => a >= b);
  });

  it("is never lower for newer sources", () => {
    isMonotone("ageDays", (a, b) => a <= b);
  });

  it("is never lower for closer sources", () => {
    isMonotone("closeness", (a, b) => a >= b);
  });

  it("is never lower for sources that agree more", () => {
    isMonotone("agreement", (a, b) => a >= b);
  });

  it("depends on each of the four", () => {
    const middle = { sources: 2, ageDays: 365, closeness: 0.6, agreement: 0.6 };
    const better = [{ sources: 4 }, { ageDays: 10 }, { closeness: 0.9 }, { agreement: 0.9 }];

    for (const change of better) {
      expect(scoreConfidence({ ...middle, ...change })).toBeGreaterThan(scoreConfidence(middle));
    }
  });

  it("is 0 without sources, and high for many that are new, close and agree", () => {
    expect(scoreConfidence({ sources: 0, ageDays: 0, closeness: 1, agreement: 1 })).toBe(0);
    expect(
      scoreConfidence({ sources: 5, ageDays: 20, closeness: 1, agreement: 0.95 }),
    ).toBeGreaterThanOrEqual(0.9);
    expect(
      scoreConfidence({ sources: 1, ageDays: 2_000, closeness: 0.3, agreement: 0.5 }),
    ).toBeLessThan(0.5);
  });
});

import { describe, expect, it } from "vitest";
import { createEvidenceCollector, type WordPostings } from "./collect-evidence.js";
import { strengthIn } from "./postings.js";

const size = 20_000;

/** A word that every `step`th delegate has, from the first on. */
function wordOf(weight: number, step: number, first = 0): WordPostings {
  const places = Uint32Array.from(
    { length: Math.ceil((size - first) / step) },
    (_, at) => first + at * step,
  );
  const strengths = Float32Array.from(places, (place) => 0.5 + (place % 7) / 14);
  return { weight, postings: { places, strengths, maxStrength: 1 } };
}

function bestOf(words: readonly WordPostings[], limit: number) {
  const found: { readonly place: number; readonly evidence: number }[] = [];
  createEvidenceCollector(size)(words, limit, (place, evidence) => found.push({ place, evidence }));
  return found.toSorted((a, b) => b.evidence - a.evidence || a.place - b.place).slice(0, limit);
}

describe("createEvidenceCollector", () => {
  it("gives the best the evidence of all their words, however many delegates have one", () => {
    const words = [wordOf(0.9, 97), wordOf(0.5, 11), wordOf(0.2, 2), wordOf(0.1, 1)];

    const all = Array.from({ length: size }, (_, place) => ({
      place,
      evidence: evidenceAt(words, place),
    }));
    const expected = all.toSorted((a, b) => b.evidence - a.evidence || a.place - b.place);

    const best = bestOf(words, 5);
    expect(best.map(({ place }) => place)).toEqual(expected.slice(0, 5).map(({ place }) => place));
    expect(best[0]?.evidence).toBeCloseTo(expected[0]?.evidence ?? 0, 5);
  });

  it("begins every query with nothing, also after one that read many", () => {
    const collect = createEvidenceCollector(size);
    collect([wordOf(0.9, 97), wordOf(0.2, 2), wordOf(0.1, 1)], 5, () => {});
    const sums: number[] = [];

    collect([wordOf(0.5, 9_000)], 5, (place, sum) => sums.push(sum / (0.5 + (place % 7) / 14)));

    expect(sums.map((sum) => Math.round(sum * 1_000))).toEqual([500, 500, 500]);
  });
});

/** Evidence for one delegate, added up word by word. */
function evidenceAt(words: readonly WordPostings[], place: number): number {
  let sum = 0;
  for (const { weight, postings } of words) {
    if (postings === undefined) continue;
    sum += weight * strengthIn(postings, place);
  }
  return sum;
}

import { describe, expect, it } from "vitest";
import { seeded } from "./seeded.js";

const draw = (seed: number, count: number) => {
  const random = seeded(seed);
  return Array.from({ length: count }, random);
};

describe("seeded", () => {
  it("draws the same numbers for the same seed, and others for another", () => {
    expect(draw(7, 100)).toEqual(draw(7, 100));
    expect(draw(7, 100)).not.toEqual(draw(8, 100));
  });

  it("draws the numbers that were published with the algorithm", () => {
    expect(draw(0, 3)).toEqual([0.26642920868471265, 0.0003297457005828619, 0.2232720274478197]);
  });

  it("draws numbers from 0 to 1, evenly", () => {
    const numbers = draw(1, 10_000);

    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(numbers.reduce((sum, number) => sum + number, 0) / numbers.length).toBeCloseTo(0.5, 1);
  });
});

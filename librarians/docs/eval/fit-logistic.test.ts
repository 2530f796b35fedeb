import { seeded } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { predictProbability } from "../src/calibration/logistic.js";
import { bestF1Cut, calibrationError, caughtAt, highCut } from "./cuts.js";
import { fitLogistic } from "./fit-logistic.js";

describe("fitLogistic", () => {
  it("finds the coefficients that made the cases", () => {
    const random = seeded(7);
    const made = { intercept: -1, weights: { a: 3, b: -2 } };
    const examples = Array.from({ length: 5_000 }, () => {
      const features = { a: random() * 2, b: random() * 2 };
      return { features, is: random() < predictProbability(made, features), group: "" };
    });

    const { intercept, weights } = fitLogistic(examples, ["a", "b"], 0.01);

    expect(intercept).toBeCloseTo(-1, 0);
    expect(weights.a).toBeCloseTo(3, 0);
    expect(weights.b).toBeCloseTo(-2, 0);
  });
});

describe("cuts", () => {
  const foretold = [0.9, 0.8, 0.7, 0.2].map((chance) => ({ chance, is: chance > 0.75 }));

  it("part what is answered from what is refused", () => {
    expect(bestF1Cut([0.8, 0.9, 0.7], [0.1, 0.2])).toEqual({ cut: 0.7, f1: 1 });
    expect(caughtAt(0.4, [0.5, 0.6, 0.9], [0.1, 0.55, 0.95])).toBeCloseTo(2 / 3);
  });

  it("say how right and how calibrated chances are", () => {
    expect(highCut(foretold, 0.5)).toEqual({ cut: 0.8, precision: 1 });
    expect(calibrationError([{ chance: 0.95, is: true }])).toBeCloseTo(0.05);
  });
});

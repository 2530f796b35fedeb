import { describe, expect, it } from "vitest";
import { toWordVector } from "./word-vectors.js";

function cosine(one: string, other: string): number {
  const [a, b] = [toWordVector(one), toWordVector(other)];
  return a?.reduce((sum, value, at) => sum + value * (b?.[at] ?? 0), 0) ?? Number.NaN;
}

describe("toWordVector", () => {
  it.each([
    ["What do I pay for my car?", "Prices of vehicles", "Opening hours of the library"],
    ["Which nurse works tonight?", "Hospital staff", "Trains and buses"],
    ["they were stopping the engines", "motors stop", "bakers sing"],
  ])("is nearer to what %s is about, without a word in common", (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.1);
  });

  it("has length 1, whatever the order, and is the same for forms of a word", () => {
    expect(cosine("red house", "house red")).toBeCloseTo(1, 5);
    expect(cosine("repairing copied", "repair copy")).toBeCloseTo(1, 5);
  });

  it("is undefined where no word is known: grammar, identifiers, words of no language", () => {
    for (const text of ["", "who is it?", "state_of_memory worker-3 train-memory-state", "xqzv"])
      expect(toWordVector(text)).toBeUndefined();
  });
});

import { describe, expect, it } from "vitest";
import { figuresIn } from "./figures-in.js";

function keysOf(text: string): readonly string[] {
  return figuresIn(text).map(({ key }) => key);
}

describe("figuresIn", () => {
  it("reads digits, number words, scales and percentages as the figure they are", () => {
    expect(keysOf("48 lakhs, Rs. 48,00,000 or forty lakhs; eight per cent, 8 %, 8")).toEqual([
      "4800000",
      "4800000",
      "8 %",
      "8",
      "4000000",
      "8 %",
    ]);
    expect(keysOf("nineteen million")).toEqual(["19000000"]);
  });

  it("takes no word for a scale that only begins like one", () => {
    expect(keysOf("three main reasons, two large flats, six months")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { trimTrailing } from "./index.js";

describe("trimTrailing", () => {
  it.each([
    ["web-1.-", /[.-]/, "web-1"],
    ["...", /[.]/, ""],
    ["", /[.]/, ""],
    ["a.b", /[.]/, "a.b"],
    ["one, \n", /[\s,]/, "one"],
    ["𝒜𐐀!?", /[^\p{L}]/u, "𝒜𐐀"],
    ["a😀😀", /[^\p{L}]/u, "a"],
  ] as const)("gives of %j without %s at the end %j", (text, character, expected) => {
    expect(trimTrailing(text, character)).toBe(expected);
  });

  it("looks at each character at the end once", () => {
    let looks = 0;
    const counting = { test: (text: string) => ++looks > 0 && text === "." } as RegExp;

    expect(trimTrailing(`${".".repeat(1_000)}a${".".repeat(500)}`, counting)).toHaveLength(1_001);
    expect(looks).toBe(501);
  });
});

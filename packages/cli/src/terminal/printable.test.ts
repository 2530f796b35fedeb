import { describe, expect, it } from "vitest";
import { printableJson } from "./printable-data.js";
import { sanitizeLine } from "./sanitize-line.js";
import { cutToWidth } from "./width.js";

describe("sanitizeLine", () => {
  it("is one line of a bounded length", () => {
    expect(sanitizeLine(" a\n\n b\tc ")).toBe("a b c");
    expect(sanitizeLine("x".repeat(1_000_000), 10)).toBe(`${"x".repeat(9)}…`);
  });
});

describe("printableJson", () => {
  it("stays the same value, without what a terminal would obey", () => {
    const value = { text: "\u001b[2J\u009b\u202e\u007f" };

    const printed = printableJson(value);

    expect(JSON.parse(printed)).toEqual(value);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  });
});

describe("printableJson of what JSON cannot hold", () => {
  it("replaces it by a word, and keeps shared values", () => {
    const shared = { a: 1 };
    const value: Record<string, unknown> = { first: shared, again: shared, big: 12n };
    value.self = { deep: [value] };

    expect(JSON.parse(printableJson(value))).toEqual({
      first: { a: 1 },
      again: { a: 1 },
      big: "12",
      self: { deep: ["[cycle]"] },
    });
    expect(printableJson(undefined)).toBe("null");
  });

  it("ends at a depth that the stack can hold", () => {
    let value: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) value = [value];

    expect(printableJson(value)).toContain("[too deep]");
  });
});

describe("cutToWidth", () => {
  it.each([
    ["abcdef", 6, "abcdef"],
    ["abcdef", 5, "abcd…"],
    ["日本語です", 6, "日本…"],
    ["e\u0301e\u0301", 2, "e\u0301e\u0301"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
  ])("cuts %j to %i cells", (line, cells, cut) => {
    expect(cutToWidth(line, cells)).toBe(cut);
  });
});

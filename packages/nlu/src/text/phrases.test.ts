import { describe, expect, it } from "vitest";
import { createPhrases } from "./phrases.js";

describe("phrases", () => {
  it.each([
    ["crash*", "it crashes", true],
    ["crash*", "uncrashed", false],
    ["not ready", "NOT ready yet", true],
    ["not ready", "not readying", false],
    ["^who", "  who did it", true],
    ["^who", "and who did it", false],
    ["may … reach, block", "may it ever reach them", true],
    ["may … reach, block", "reach it, may we", false],
    ["which|what node|nodes", "what nodes are there", true],
    ["not * ready", "not yet ready", true],
    ["*n't ready", "isn't ready", true],
    ["i/o (disk)", "the i/o (disk)", true],
    ["", "anything", false],
  ])("%j in %j: %s", (list, text, expected) => {
    expect(createPhrases(list).test(text)).toBe(expected);
  });

  it("are found in time that grows with the text", () => {
    const text = "may not * reach ".repeat(20_000);

    expect(createPhrases("may … never … reach, not * ready, ^who").test(text)).toBe(false);
  });
});

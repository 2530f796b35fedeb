import { describe, expect, it } from "vitest";
import { createWordPiece } from "./word-piece.js";

const tokens = [
  "[PAD]",
  "[UNK]",
  "[CLS]",
  "[SEP]",
  "re",
  "##start",
  "##s",
  "pod",
  ",",
  "?",
  "cafe",
  "日",
  "本",
];
const { encode } = createWordPiece(`${tokens.join("\n")}\n`);
const read = (text: string, maxTokens = 16) =>
  encode(text, maxTokens).map((number) => tokens[number]);

describe("createWordPiece", () => {
  it("cuts words into the longest pieces, lower case and without accents", () => {
    expect(read("Restarts, Café?")).toEqual([
      "[CLS]",
      "re",
      "##start",
      "##s",
      ",",
      "cafe",
      "?",
      "[SEP]",
    ]);
  });

  it("reads CJK characters one by one, and words it does not know as one unknown", () => {
    expect(read("日本 xyz pods")).toEqual(["[CLS]", "日", "本", "[UNK]", "pod", "##s", "[SEP]"]);
    expect(read("p".repeat(200))).toEqual(["[CLS]", "[UNK]", "[SEP]"]);
  });

  it("takes marks of the model in a text as text", () => {
    expect(read("[SEP]")).not.toEqual(["[CLS]", "[SEP]", "[SEP]"]);
  });

  it("ends at the limit, and takes time in proportion to it", () => {
    expect(read("pod pod pod pod pod", 4)).toEqual(["[CLS]", "pod", "pod", "[SEP]"]);
    expect(encode("a".repeat(5_000_000), 8)).toHaveLength(3);
  });

  it("refuses a vocabulary without the marks it needs", () => {
    expect(() => createWordPiece("a\nb\n")).toThrow("the token [CLS] is missing");
  });
});

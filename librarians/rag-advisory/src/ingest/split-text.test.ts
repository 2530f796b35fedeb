import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.js";

describe("cutText", () => {
  it("leaves a text of exactly the length whole, and cuts one that is a character longer", () => {
    expect(splitText("a".repeat(1_200), 1_200, 100)).toEqual(["a".repeat(1_200)]);
    expect(splitText("a".repeat(1_201), 1_200, 100)).toEqual(["a".repeat(1_200), "a".repeat(101)]);
  });

  it("begins each piece exactly the overlap before the end of the last where nothing ends", () => {
    const text = Array.from({ length: 3_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join(
      "",
    );

    const pieces = splitText(text, 1_200, 100);

    expect(pieces).toEqual([text.slice(0, 1_200), text.slice(1_100, 2_300), text.slice(2_200)]);
  });

  it("cuts at the end of a paragraph, else of a sentence, else of a word", () => {
    const words = "word ".repeat(30).trim();

    const paragraph = splitText(`${words}\n\nSecond. ${words}`, 200, 0);
    const sentence = splitText(`${words}. Next ${words}`, 200, 0);
    const word = splitText("word ".repeat(100), 203, 0);

    expect(paragraph[0]).toBe(words);
    expect(paragraph[1]).toMatch(/^Second\./);
    expect(sentence[0]).toBe(`${words}.`);
    expect(word[0]).toBe("word ".repeat(40).trim());
  });

  it("begins a piece with whole words of the one before", () => {
    const text = Array.from({ length: 200 }, (_, at) => `w${at}`).join(" ");

    const [first = "", second = ""] = splitText(text, 200, 50);

    const [word = ""] = second.split(" ");
    expect(first.split(" ")).toContain(word);
    expect(first.length - first.lastIndexOf(` ${word} `)).toBeLessThanOrEqual(51);
  });

  it("gives nothing for white space", () => {
    expect(splitText(" \n\n ".repeat(1_000), 100, 10)).toEqual([]);
    expect(splitText("", 100, 10)).toEqual([]);
  });

  it("keeps every character, in order, in pieces no longer than the length, with no half of one", () => {
    const kinds = fc.array(fc.constantFrom("letter", "pair", ".", " ", "\n\n", "\n", "।"), {
      maxLength: 400,
    });
    const lengths = fc.integer({ min: 4, max: 90 });
    fc.assert(
      fc.property(kinds, lengths, fc.integer({ min: 0, max: 45 }), (marks, length, any) => {
        // Every letter of its own, so that it can be told where a piece stands.
        const text = marks.map((mark, at) => letterOf(mark, at) ?? mark).join("");
        const overlap = Math.min(any, Math.floor(length / 2));

        const pieces = splitText(text, length, overlap);

        for (const [at, piece] of pieces.entries()) {
          expect(piece.length).toBeLessThanOrEqual(length);
          expect(piece.trim()).toBe(piece);
          expect(piece).not.toBe("");
          expect(piece).not.toMatch(/\p{Surrogate}/u);
          const before = new Set(lettersOf(pieces[at - 1] ?? ""));
          const again = lettersOf(piece).filter((letter) => before.has(letter));
          expect(again.join("").length).toBeLessThanOrEqual(overlap);
        }
        expect([...new Set(pieces.flatMap(lettersOf))]).toEqual(lettersOf(text));
      }),
      { numRuns: 500 },
    );
  });
});

function letterOf(mark: string, at: number): string | undefined {
  if (mark === "letter") return String.fromCodePoint(0x4e00 + at);
  return mark === "pair" ? String.fromCodePoint(0x20000 + at) : undefined;
}

function lettersOf(text: string): readonly string[] {
  return [...text].filter((letter) => letter >= "\u4e00");
}

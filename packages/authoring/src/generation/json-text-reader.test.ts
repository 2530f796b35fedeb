import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createJsonTextReader } from "./json-text-reader.js";

function readIn(pieces: readonly string[], path: readonly string[]): string {
  const reader = createJsonTextReader(path);
  return pieces.map((piece) => reader.read(piece)).join("");
}

describe("createJsonTextReader", () => {
  it("reads the text at a path, whatever else is there and wherever the pieces end", () => {
    const value = fc.record({
      before: fc.jsonValue({ maxDepth: 3 }),
      answer: fc.string({ unit: "grapheme", maxLength: 40 }),
      after: fc.jsonValue({ maxDepth: 3 }),
    });
    fc.assert(
      fc.property(
        value,
        fc.nat({ max: 4 }),
        fc.integer({ min: 1, max: 9 }),
        (each, indent, size) => {
          const json = JSON.stringify(
            { before: each.before, deep: { ...each } },
            undefined,
            indent,
          );
          const pieces = [...json].flatMap((_, index, all) =>
            index % size === 0 ? all.slice(index, index + size).join("") : [],
          );

          expect(readIn(pieces, ["deep", "answer"])).toBe(each.answer);
        },
      ),
    );
  });

  it("gives each piece as it comes, escapes and pairs of surrogates whole", () => {
    const reader = createJsonTextReader(["answer"]);
    const pieces = ['{"answer": "Dr', "ain \\", "n it \\ud8", "3d\\ude00 and", ' wait", "x": "y"}'];

    expect(pieces.map((piece) => reader.read(piece))).toEqual([
      "Dr",
      "ain ",
      "\n it ",
      "😀 and",
      " wait",
    ]);
  });

  it("finds the text after prose and in a code block, and in a list", () => {
    const reply = 'Here it is:\n```json\n{"steps": [{"why": "first"}, {"why": "second"}]}\n```';

    expect(readIn([reply], ["steps", "why"])).toBe("first");
  });

  it("reads every text of a list, with a separator between two of them, wherever the pieces end", () => {
    const json =
      '{"claims": [{"text": "One.", "from": ["A1"]}, {"text": "Two.", "from": []}], "text": "no"}';
    const reader = createJsonTextReader(["claims", "text"], { separator: "; " });

    expect([...json].map((piece) => reader.read(piece)).join("")).toBe("One.; Two.");
  });

  it("lets text follow each text of a list, from the object that holds it", () => {
    const json =
      '{"claims": [{"text": "One.", "more": {"text": "no"}, "from": ["A}1"]}, {"from": ["A2"], "text": "Two."}], "x": {"from": ["A3"]}}';
    const afterItem = (item: unknown) => ` (${(item as { from: string[] }).from.join()})`;
    const reader = createJsonTextReader(["claims", "text"], { separator: "; ", afterItem });

    expect([...json].map((piece) => reader.read(piece)).join("")).toBe("One. (A}1); Two. (A2)");
  });

  it("gives what is not JSON to what follows it as undefined", () => {
    const afterItem = (item: unknown) => ` ${typeof item}`;
    const reader = createJsonTextReader(["claims", "text"], { separator: "; ", afterItem });

    expect(reader.read('{"claims": [{"text": "One." nonsense}]}')).toBe("One. undefined");
  });

  it.each(['{"answers": "x"}', '{"deep": {"answer": "x"}}', '["answer"]', "answer", "}}}]]"])(
    "finds nothing in %s",
    (reply) => {
      expect(readIn([reply], ["answer"])).toBe("");
    },
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonText, jsonLines, jsonValues } from "./read-json.js";

async function* piecesOf(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
}

async function all(values: AsyncIterable<JsonText>): Promise<readonly JsonText[]> {
  const found: JsonText[] = [];
  for await (const value of values) found.push(value);
  return found;
}

describe("jsonValues", () => {
  it("cuts an array into its values, however the text comes in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.integer())),
        fc.constantFrom(undefined, 1),
        fc.integer({ min: 1, max: 20 }),
        async (values, indent, size) => {
          const text = JSON.stringify(values, undefined, indent);

          const found = await all(jsonValues(piecesOf(text, size)));

          expect(found.map((value) => JSON.parse(value.text))).toEqual(JSON.parse(text));
        },
      ),
    );
  });

  it("says in which line a value begins", async () => {
    const found = await all(jsonValues(piecesOf('[\n{"a":\n1},\n\n {"b": "\\n"} , 3]', 4)));

    expect(found).toEqual([
      { text: '{"a":\n1}', line: 2 },
      { text: '{"b": "\\n"}', line: 5 },
      { text: "3", line: 5 },
    ]);
  });

  it("takes values one after the other, and none of nothing", async () => {
    expect(await all(jsonValues(piecesOf('{"a":1}\n{"b":2}{"c":3}', 3)))).toHaveLength(3);
    expect(await all(jsonValues(piecesOf(" [ ] ", 2)))).toEqual([]);
    expect(await all(jsonValues(piecesOf("", 2)))).toEqual([]);
  });

  it("gives a value that is cut short as it is, and the others whole", async () => {
    const found = await all(jsonValues(piecesOf('[{"a":1},{"b":', 5)));

    expect(found.map(({ text }) => text)).toEqual(['{"a":1}', '{"b":']);
  });
});

describe("jsonLines", () => {
  it("cuts lines, however the text comes in pieces", async () => {
    for (const size of [1, 3, 100]) {
      expect(await all(jsonLines(piecesOf('{"a":1}\r\n\n{"b":2}', size)))).toMatchObject([
        { line: 1 },
        { text: '{"b":2}', line: 3 },
      ]);
    }
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSectionIndex } from "../sections/section-index.js";
import { decodeText } from "./decode.js";
import { parseMarkdown } from "./parse-markdown.js";

const parse = (text: string, file = "page.md") => parseMarkdown(text, { file });

describe("parseMarkdown, at its limits", () => {
  it.each([
    ["paragraphs", "Some words of a paragraph.\n\n"],
    ["headings", "# A\n"],
    ["brackets", "["],
    ["stars", "*a **b "],
    ["quotes", "> "],
    ["lists", "- a\n  - b\n"],
    ["backticks", "`a ``b "],
    ["tables", "|a|b|\n|-|-|\n|c|d|\n\n"],
    ["tags", "<a <b "],
    ["admonitions", "!!! note\n    text\n"],
    ["links", "[a](b "],
    ["pictures", "(!["],
    ["blank lines in code", "```\na\n\n\n\n\n\n\n\n"],
    ["comments", "<!--"],
    ["styles", "<style>"],
    ["titles of admonitions", "=== a "],
    ["containers", "::: ["],
    ["module lines", "import {' from "],
  ])("takes time in proportion to the text: %s", (_, piece) => {
    // The least of several, in processor time: other work on the machine does not count.
    const time = (count: number, times: number) => {
      const text = piece.repeat(count / piece.length);
      const taken = Array.from({ length: times }, () => {
        const started = process.cpuUsage();
        parse(text);
        return process.cpuUsage(started).user / 1_000;
      });
      return Math.min(...taken);
    };
    time(10_000, 3);

    // Eight times the text: quadratic would be 64 times the time, at each attempt. Collecting garbage only adds to it.
    const growths: number[] = [];
    do growths.push(time(120_000, 3) / Math.max(time(15_000, 9), 1));
    while (growths.length < 5 && Math.min(...growths) >= 32);
    expect(Math.min(...growths)).toBeLessThan(32);
  });

  it("reads 100,000 blank lines in a block of code at once", () => {
    const started = process.cpuUsage();
    const { sections } = parse(`# A\n\n\`\`\`\na${"\n".repeat(100_000)}x\n\`\`\`\n`);

    // Quadratic, it took 14 s.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(4_000);
    expect(sections[0]?.blocks[0]?.kind).toBe("code");
  });

  it("never throws, and gives sections whose lines follow one another and whose blocks lie inside", () => {
    const piece = fc.constantFrom(
      ..."# A\n|## B {#x}\n|text |```\n|~~~\n|- |> |    |\n|\t|---\n|===\n|!!! note\n|:::\n|<a name='x'>|<div>|</div>\n|<!--|-->|`|[a](b)|[a]: b\n|{/*|*/}|&#0;|\r\n|\r|$&|\\|import a from 'a'\n".split(
        "|",
      ),
      "| a | b |\n| - | - |\n",
      "\u2028",
      "\uD800",
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof(piece, fc.string({ unit: "binary", maxLength: 5 })), { maxLength: 40 }),
        fc.constantFrom("a.md", "b.mdx"),
        (pieces, file) => {
          const text = pieces.join("");
          const page = parse(text, file);
          const { sections } = page;
          const index = createSectionIndex();
          index.set(page);
          index.search(text);

          let last = 0;
          for (const { startLine, endLine, blocks, headingPath, heading } of sections) {
            expect(startLine).toBeGreaterThan(last);
            expect(endLine).toBeGreaterThanOrEqual(startLine);
            expect(headingPath.at(-1)).toBe(heading);
            for (const block of blocks) {
              expect(block.startLine).toBeGreaterThanOrEqual(startLine);
              expect(block.endLine).toBeGreaterThanOrEqual(block.startLine);
            }
            last = endLine;
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("reads any bytes as text, or refuses them as binary", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const decoded = decodeText(bytes);
        if ("text" in decoded) parse(decoded.text);
        else expect(decoded).toEqual({ problem: "binary" });
      }),
      { numRuns: 2_000 },
    );
  });
});

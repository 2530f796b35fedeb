import { createAnalyzer, parseMarkdown } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { unitsOf } from "./units.js";

function unitsIn(markdown: string) {
  const [section] = parseMarkdown(`# A\n\n${markdown}`, { file: "a.md" }).sections;
  return section === undefined ? [] : unitsOf(section, createAnalyzer());
}

describe("unitsOf", () => {
  it("gives sentences, items, rows under their head, and code, as they are in the page", () => {
    const units = unitsIn(
      "One. Two.\n\n- item *a*\n\n  ```sh\n  run --it\n  ```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n> A quote.\n> It goes on.\n",
    );

    expect(units.map(({ kind, text }) => [kind, text])).toEqual([
      ["sentence", "One."],
      ["sentence", "Two."],
      ["item", "- item *a*"],
      ["code", "```sh\nrun --it\n```"],
      ["row", "| a | b |\n| - | - |\n| 1 | 2 |"],
      ["item", "> A quote.\n> It goes on."],
    ]);
  });

  it("keeps the indentation without which code would be prose", () => {
    expect(unitsIn("Run:\n\n    a --b\n      c\n").at(-1)?.text).toBe("    a --b\n      c");
  });

  it("leaves out HTML and pictures, and keeps of links what is safe to follow elsewhere", () => {
    const units = unitsIn(
      "A <b>bold</b> word.\n\n![x](https://a.example/?q=1)\n\nThe block `<tsdb>` is code, <tsdb> is not.\n\nSee <https://a.example>.\n\nRead [the rules](rules.md), [b](https://b.example/x) or [c](javascript:alert(1)).\n\nHi <script>alert(1)</script>there<!-- no -->.\n\n- [ ] do [this](#x)\n",
    );

    expect(units.map(({ text }) => text)).toEqual([
      "A bold word.",
      "The block `<tsdb>` is code, \\<tsdb> is not.",
      "See <https://a.example>.",
      "Read the rules, [b](https://b.example/x) or c.",
      "Hi there.",
      "- [ ] do this",
    ]);
  });

  it("writes GitHub alerts as what they say, and tables cell for cell", () => {
    const units = unitsIn(
      "> [!WARNING]\n> Back up [first](backup.md).\n\n| a | b |\n| - | - |\n| [x](y.md), [z][1] | `p\\|q` |\n",
    );

    expect(units.map(({ text }) => text)).toEqual([
      "> **Warning:** Back up first.",
      "| a | b |\n| - | - |\n| x, z | `p\\|q` |",
    ]);
  });

  it.each([
    ["back quotes", "` `` ``` "],
    ["tags", "<a <b "],
    ["sentences in open code", "a. B` "],
    ["pictures", "(!["],
    ["blank lines in code", "```\n\n\n\n"],
  ])("takes time in proportion to the text: %s", (_, piece) => {
    const timeOf = (length: number) => {
      const text = `${piece.repeat(length / piece.length)}\n`;
      const started = performance.now();
      unitsIn(text);
      return performance.now() - started;
    };
    timeOf(1_000);
    const small = Math.min(timeOf(4_000), timeOf(4_000), timeOf(4_000));
    const large = Math.min(timeOf(64_000), timeOf(64_000));
    // Sixteen times the text: quadratic would be 256 times the time.
    expect(large / Math.max(small, 1)).toBeLessThan(100);
  });
});

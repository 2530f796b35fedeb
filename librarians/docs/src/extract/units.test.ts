import { createAnalyzer, parseMarkdown } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { unitsOf } from "./units.js";

function unitsIn(markdown: string) {
  const [section] = parseMarkdown(`# A\n\n${markdown}`, { file: "a.md" }).sections;
  return section === undefined ? [] : unitsOf(section, createAnalyzer());
}

describe("unitsOf", () => {
  it("gives sentences, items, rows under their head, and code, as they stand in the page", () => {
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

  it("leaves raw HTML and pictures out, and not what stands in code or is a link", () => {
    const units = unitsIn(
      "A <b>bold</b> word.\n\n![x](y.png)\n\nThe block `<tsdb>` is code.\n\nSee <https://a.example>.\n",
    );

    expect(units.map(({ text }) => text)).toEqual([
      "The block `<tsdb>` is code.",
      "See <https://a.example>.",
    ]);
  });
});

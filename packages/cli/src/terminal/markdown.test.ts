import { sanitizeText } from "@constellation/core/authoring";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./markdown.js";
import { type Paint, unpainted } from "./paint.js";

const marked: Paint = (style, text) => `<${[style].flat().join("+")}>${text}</>`;

describe("renderMarkdown", () => {
  it.each([
    ["## Roll back ##", "<bold+underline>Roll back</>"],
    ["a **bold** word", "a <bold>bold</> word"],
    ["run `a **b**`", "run <yellow>a **b**</>"],
    ["- item\n  * nested", "<cyan>•</> item\n  <cyan>•</> nested"],
    ["    kubectl get pods", "<yellow>    kubectl get pods</>"],
    ["```sh\nls\n```\nafter", "  <yellow>ls</>\nafter"],
    ["~~~~\n```\n~~~~", "  <yellow>```</>"],
    ["> said", "<dim>│</> said"],
    ["[page](https://x.example/a)", "page (<underline>https://x.example/a</>)"],
    ["snake_case * 2 * 3", "snake_case * 2 * 3"],
    ["1. first", "1. first"],
  ])("shows %j as %j", (text, shown) => {
    expect(renderMarkdown(text, marked)).toBe(shown);
  });

  it.each([
    `# ${"# ".repeat(500_000)}x`,
    `# ${" ".repeat(999_990)}x`,
    "`a".repeat(500_000),
    "**a ".repeat(250_000),
    "- ".repeat(500_000),
    "[".repeat(1_000_000),
    "[a](https:".repeat(100_000),
    "\u001b[;a".repeat(250_000),
    `\u001b]${";a".repeat(500_000)}`,
  ])("takes no longer for text that is made to be slow (%#)", (text) => {
    const startedAt = performance.now();

    renderMarkdown(sanitizeText(text), marked);

    expect(performance.now() - startedAt).toBeLessThan(3_000);
  });

  it("says the same without colour", () => {
    expect(renderMarkdown("# A\n\n- **b** `c`", unpainted)).toBe("A\n\n• b c");
  });

  it("breaks text between words, with what belongs to an item below it", () => {
    const text = [
      "One two three four five.",
      "- one two three four",
      "| a table | is never broken |",
      "```",
      "code is never broken either",
      "```",
    ].join("\n");

    expect(renderMarkdown(text, unpainted, 12)).toBe(
      [
        "One two",
        "three four",
        "five.",
        "• one two",
        "  three four",
        "| a table | is never broken |",
        "  code is never broken either",
      ].join("\n"),
    );
  });

  it("counts no cells for colours, and leaves a word that is too long whole", () => {
    const red = (_: unknown, text: string) => `\u001B[31m${text}\u001B[39m`;

    expect(renderMarkdown("**one two** three", red, 13)).toBe("\u001B[31mone two\u001B[39m three");
    expect(renderMarkdown("a 0123456789012345 b", unpainted, 10)).toBe("a\n0123456789012345\nb");
  });
});

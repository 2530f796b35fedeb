import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./markdown.js";
import { type Paint, unpainted } from "./paint.js";

const marked: Paint = (style, text) => `<${[style].flat().join("+")}>${text}</>`;

describe("renderMarkdown", () => {
  it.each([
    ["## Roll back ##", "<bold+underline>Roll back</>"],
    ["a **bold** and *slanted* word", "a <bold>bold</> and <italic>slanted</> word"],
    ["run `a **b**`", "run <yellow>a **b**</>"],
    ["- item\n  * nested", "<cyan>•</> item\n  <cyan>•</> nested"],
    ["- a\n\n- b", "<cyan>•</> a\n\n<cyan>•</> b"],
    ["    kubectl get pods", "  <yellow>kubectl get pods</>"],
    ["```sh\nls\n```\nafter", "  <yellow>ls</>\n\nafter"],
    ["~~~~\n```\n~~~~", "  <yellow>```</>"],
    ["> said\n> twice", "<dim>│</> said twice"],
    ["[page](https://x.example/a)", "page (<underline>https://x.example/a</>)"],
    ["[page](pages/a.md)", "page (<underline>pages/a.md</>)"],
    ["<https://x.example>", "<underline>https://x.example</>"],
    ["[x](javascript:alert(1))", "[x](javascript:alert(1))"],
    ["![chart](https://x.example/c.png)", "[image: chart] (<underline>https://x.example/c.png</>)"],
    ["soft\nbreak, hard\\\nbreak", "soft break, hard\nbreak"],
    ["&#x202e;gnp", "gnp"],
    ["<b onclick=x>html</b>", "<b onclick=x>html</b>"],
    ["snake_case * 2 * 3", "snake_case * 2 * 3"],
    ["3. third\n4. fourth", "3. third\n4. fourth"],
    [
      "1. Drain:\n   ```sh\n   drain\n   wait\n   ```\n2. Check:\n\n       check\n3. Done.",
      "1. Drain:\n\n     <yellow>drain</>\n     <yellow>wait</>\n\n2. Check:\n\n     <yellow>check</>\n\n3. Done.",
    ],
  ])("shows %j as %j", (text, shown) => {
    expect(renderMarkdown(text, marked)).toBe(shown);
  });

  it("draws a table in columns", () => {
    const table = "| pod | state |\n| --- | --- |\n| api-1 | **down** |\n| 日本 | `up` |";

    expect(renderMarkdown(table, unpainted)).toBe(
      "pod    state\n─────  ─────\napi-1  down\n日本   up",
    );
  });

  it("has the same text without colour", () => {
    expect(renderMarkdown("# A\n\n- **b** `c`", unpainted)).toBe("A\n\n• b c");
  });

  it("wraps text and tables, not code, with what belongs to an item below it", () => {
    const text = [
      "One two three four five.",
      "",
      "- one two three four",
      "",
      "| a | b |",
      "| --- | --- |",
      "| one two | three four |",
      "",
      "```",
      "code is never broken",
      "```",
    ].join("\n");

    expect(renderMarkdown(text, unpainted, 12)).toBe(
      [
        "One two",
        "three four",
        "five.",
        "",
        "• one two",
        "  three four",
        "",
        "a      b",
        "─────  ─────",
        "one    three",
        "two    four",
        "",
        "  code is never broken",
      ].join("\n"),
    );
  });

  it("counts no cells for colours, and leaves a word that is too long whole", () => {
    const red = (_: unknown, text: string) => `\u001B[31m${text}\u001B[39m`;

    expect(renderMarkdown("**one two** three", red, 13)).toBe("\u001B[31mone two\u001B[39m three");
    expect(renderMarkdown("a 0123456789012345 b", unpainted, 10)).toBe("a\n0123456789012345\nb");
  });
});

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

  it("says the same without colour", () => {
    expect(renderMarkdown("# A\n\n- **b** `c`", unpainted)).toBe("A\n\n• b c");
  });
});

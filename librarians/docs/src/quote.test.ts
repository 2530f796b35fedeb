import { describe, expect, it } from "vitest";
import { quote } from "./quote.js";
import { sectionsOf } from "./sections.js";
import { wordsOf } from "./words.js";

function quoteOf(query: string, page: string, maxLength = 1_000): string {
  const [section] = sectionsOf("page.md", page);
  if (section === undefined) throw new Error("no section");
  const words = new Set(wordsOf(query));
  return quote(section, (word) => (words.has(word) ? 1 : 0), maxLength);
}

describe("quote", () => {
  it("begins at the beginning when the heading is what was asked for", () => {
    const page = "# Drain the queue\n\nStop the intake.\n\n1. Wait.\n2. Check.\n";

    expect(quoteOf("drain queue", page)).toBe("Stop the intake.\n\n1. Wait.\n2. Check.");
  });

  it("marks what it leaves out between sentences and between blocks", () => {
    const page = "# P\n\nApples grow. Rain falls. Apples ripen.\n\nSnow melts.\n\nApples fall.\n";

    expect(quoteOf("apples", page)).toBe("Apples grow. … Apples ripen.\n\n…\n\nApples fall.");
  });

  it("keeps a sentence that ends with a colon and what follows it together", () => {
    const page = "# P\n\nIt rains. Restart it like this:\n\n```sh\nreboot\n```\n\nIt snows.\n";

    expect(quoteOf("restart", page)).toBe("Restart it like this:\n\n```sh\nreboot\n```");
  });

  it.each([
    ["code", "# Code\n\n```sh\nlines of code\n"],
    ["a list with code", "# Code\n\n1. Lines of code:\n\n   ~~~sh\n   lines of code\n"],
  ])("cuts %s that is too long, and closes its fence", (_, beginning) => {
    const fence = beginning.includes("~~~") ? "   ~~~" : "```";
    const page = `${beginning}${`${fence.trimEnd().slice(0, -3)}more lines of code\n`.repeat(100)}${fence}\n`;

    const text = quoteOf("lines of code", page, 500);

    expect(text.length).toBeLessThanOrEqual(500);
    expect(text.endsWith(`more lines of code\n…\n${fence}`)).toBe(true);
  });

  it("cuts a sentence that is longer than all there is room for", () => {
    expect(quoteOf("apples", `# P\n\nApples ${"and pears ".repeat(200)}`, 300)).toHaveLength(222);
  });
});

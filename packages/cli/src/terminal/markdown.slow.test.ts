import { sanitizeText } from "@constellation/authoring";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "./markdown.js";
import { unpainted } from "./paint.js";

describe("renderMarkdown", () => {
  it.each([
    `# ${"# ".repeat(500_000)}x`,
    `# ${" ".repeat(999_990)}x`,
    "`a".repeat(500_000),
    "**a ".repeat(250_000),
    "- ".repeat(500_000),
    "[".repeat(1_000_000),
    "[a](https:".repeat(100_000),
    "> ".repeat(50_000),
    "| a ".repeat(50_000),
    `|a|b|\n|-|-|\n${"|a|b|\n".repeat(30_000)}`,
    "![a](".repeat(40_000),
    "*a **b ".repeat(28_000),
    "\u001b[;a".repeat(250_000),
    `\u001b]${";a".repeat(500_000)}`,
  ])("takes no longer for text that is made to be slow (%#)", (text) => {
    const before = process.cpuUsage();

    renderMarkdown(sanitizeText(text), unpainted);

    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(3_000);
  });
});

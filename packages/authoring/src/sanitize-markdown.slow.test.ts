import { describe, expect, it } from "vitest";
import { sanitizeMarkdown } from "./sanitize-markdown.js";

describe("sanitizeMarkdown", () => {
  it.each([
    [
      "runs of backticks of each length",
      (size: number) =>
        "`"
          .repeat(Math.sqrt(2 * size) | 0)
          .split("")
          .map((_tick, index) => "`".repeat(index + 1))
          .join(" "),
    ],
    ["backticks alone", (size: number) => "`".repeat(size)],
    ["single backticks", (size: number) => "`a ".repeat(size / 3)],
    ["brackets", (size: number) => "[".repeat(size)],
    ["links left open", (size: number) => "[a](".repeat(size / 4)],
    ["link texts left open", (size: number) => "![a".repeat(size / 3)],
    ["backslashes", (size: number) => "\\".repeat(size)],
    ["spaces", (size: number) => `a${" ".repeat(size)}b`],
    ["control sequences", (size: number) => "\u001b]0;".repeat(size / 4)],
    ["parameters", (size: number) => `\u001b${";a".repeat(size / 2)}`],
    ["joiners", (size: number) => "\u200d".repeat(size)],
    ["tildes", (size: number) => `~~~\n${"~".repeat(size)} x`],
    ["tildes before a bar", (size: number) => `${"~".repeat(size)}|`],
  ])("takes time that grows with the text and no faster: %s", (_what, hostile) => {
    const timeOf = (text: string) => {
      const begun = process.cpuUsage();
      sanitizeMarkdown(text);
      return process.cpuUsage(begun).user / 1_000;
    };
    // In processor time, and the best of three: other work on the machine only ever adds to it.
    const bestOf = (text: string) => Math.min(...[1, 2, 3].map(() => timeOf(text)));
    const shortMs = Math.max(10, bestOf(hostile(50_000)));

    expect(bestOf(hostile(800_000)) / shortMs).toBeLessThan(4 * 16);
  });
});

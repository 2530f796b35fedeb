import { describe, expect, it } from "vitest";
import { fuzzValidator } from "../../eval/fuzz-validator.js";
import { createMemoryKnowledgeBase } from "./knowledge-base-view.js";
import { validateNavigatorResponse } from "./validate-navigator-response.js";

describe("validateNavigatorResponse, against hostile input", () => {
  it("NAV-014, NAV-032: neither throws nor accepts a citation outside the root", {
    timeout: 600_000,
  }, () => {
    const { failures, count } = fuzzValidator(3_000);

    expect(failures).toEqual([]);
    expect(count).toBe(3_000);
  });

  it.each([
    "a/",
    "a.",
    "aB",
    "a_b_",
    "1 - ",
    "1,111,",
    "1.1.",
    "`",
    "`kubectl -n ",
    "![",
    "[x](",
    '"error: ',
    "I do not ",
    "https://a(",
    "\n\n",
    "a[].",
  ])("takes time in proportion to the length of %j repeated", (piece) => {
    const time = (length: number): number => {
      const text = piece.repeat(length / piece.length);
      const pages = createMemoryKnowledgeBase({ "a.md": `# A\n${text}\n` });
      const sources = [{ file: "a.md", section: "A", relevance: "It says so" }];
      const confidenceReason = "The cited section says so";
      const given = { sources, confidence: "high", confidenceReason, outOfDomain: false };
      const started = process.cpuUsage();
      for (const answer of [text, "See x/y.md and `git log`, 5m, v1.2, a.b, --c and D_E."]) {
        validateNavigatorResponse({ ...given, answer }, pages, { query: text });
      }
      return process.cpuUsage(started).user / 1_000; // of this process alone, however busy the machine is
    };
    time(8_000);
    const leastOf = (length: number) => Math.min(...[1, 2, 3].map(() => time(length)));
    const short = leastOf(8_000);
    const long = leastOf(64_000);

    // Eight times the length: eight times as long, were the clock exact; sixty-four if it grew by its square.
    expect(long).toBeLessThan(30 * Math.max(short, 5));
  });
});

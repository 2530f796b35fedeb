import { describe, expect, it } from "vitest";
import { printEvalTable } from "./print-eval-table.js";
import { runEval } from "./run-eval.js";

describe("printEvalTable", () => {
  it("prints totals, then each failed case with what was expected and seen", async () => {
    const report = await runEval(
      async (query) =>
        query === "down"
          ? { response: { error: { code: "SERVICE_UNAVAILABLE", message: "It rests." } } }
          : { response: { answer: `\u001b[31m${query}`, confidence: 0.5 } },
      [
        { id: "good", query: "pods", expect: { mustMention: ["pods"] }, tags: ["k8s"] },
        { id: "unsure", query: "nodes", expect: { minConfidence: 0.9 }, tags: ["k8s"] },
        { id: "gone", query: "down", expect: { mustMention: [["a", "b"]] } },
      ],
    );

    const lines = printEvalTable(report)
      .replaceAll(/[\d.]+ ms/g, "N ms")
      .split("\n");

    expect(lines).toEqual([
      "cases                   1 of 3 (33.3 %)",
      "expected mustMention    1 of 2 (50.0 %)",
      "expected minConfidence  0 of 1 (0.0 %)",
      "tag k8s                 1 of 2 (50.0 %)",
      "median                  N ms",
      "p95                     N ms",
      "",
      "failed unsure: nodes",
      "  minConfidence: expected 0.9, seen: 0.5",
      "",
      "failed gone: down",
      '  mustMention: expected [["a","b"]], seen: no answer',
      "  SERVICE_UNAVAILABLE: It rests.",
    ]);
  });

  it("takes control characters out of what others wrote", async () => {
    const report = await runEval(
      async () => ({ response: { answer: "x", sources: [{ name: "a\u001b]0;gotcha\u0007\nb" }] } }),
      [{ id: "one", query: "q\u001b[2J", expect: { sources: ["z"], errorCode: "TIMEOUT" } }],
    );

    expect(printEvalTable(report).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });
});

import type { HopRecord, Response, RunRecord } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { checkResponse } from "./check-response.js";
import type { EvalExpect } from "./eval-case.js";

const answered: Response = {
  answer: "The pod `api-7f` was OOMKilled.\nRaise its   memory limit.",
  confidence: 0.8,
  sources: [
    { name: "runbooks/memory.md#Limits" },
    { name: "wiki", url: "https://wiki.example/memory" },
  ],
};
const refused: Response = {
  error: { code: "NOT_FOUND", message: "no", details: { reason: "out-of-domain" } },
};

function hop(to: string, via: HopRecord["via"], outcome: HopRecord["outcome"]): HopRecord {
  const times = { startMs: 0, durationMs: 1, attempt: 1 };
  return { id: 1, to, depth: 0, via, query: "q", outcome, ...times };
}

const run: RunRecord = {
  runId: "r",
  query: "q",
  to: "desk",
  startedAt: 0,
  durationMs: 1,
  unsettled: 0,
  hops: [
    hop("desk", "entry", "delegate"),
    hop("k8s", "delegate", "answer"),
    hop("docs", "ask", "partial"),
    hop("down", "delegate", "error"),
    hop("refused", "delegate", "refused"),
  ],
};

function seen(expected: EvalExpect, response: Response = answered, record: RunRecord | null = run) {
  const [result, ...others] = checkResponse(expected, {
    response,
    ...(record !== null && { run: record }),
  });
  expect(others).toEqual([]);
  return [result?.passed, result?.seen];
}

describe("checkResponse", () => {
  it("holds who answered against ids, at least or exactly, in any order", () => {
    expect(seen({ librarians: ["docs"] })).toEqual([true, "k8s, docs"]);
    expect(seen({ librarians: ["down"] })).toEqual([false, "k8s, docs"]);
    expect(seen({ librarians: { exactly: ["docs", "k8s"] } })).toEqual([true, "k8s, docs"]);
    expect(seen({ librarians: { exactly: ["docs"] } })).toEqual([false, "k8s, docs"]);
    expect(seen({ librarians: { exactly: [] } }, refused, { ...run, hops: [] })).toEqual([
      true,
      "no one",
    ]);
  });

  it("holds whom the query was forwarded to against ids, whatever came of it", () => {
    expect(seen({ delegates: { exactly: ["k8s", "docs", "down", "refused"] } })).toEqual([
      true,
      "k8s, docs, down, refused",
    ]);
    expect(seen({ delegates: ["desk"] })[0]).toBe(false);
  });

  it("says who was asked that should not have been", () => {
    expect(seen({ notLibrarians: ["refused"] })[0]).toBe(true);
    expect(seen({ notLibrarians: ["down"] })).toEqual([false, "desk, k8s, docs, down"]);
  });

  it.each(["librarians", "delegates", "notLibrarians"])(
    "does not take %s for right without a run record",
    (name) => {
      expect(seen({ [name]: ["x"] }, answered, null)).toEqual([false, "no run record"]);
    },
  );

  it("finds text whatever its case and white space, and patterns; of a list any one", () => {
    expect(
      seen({ mustMention: ["oomkilled. raise", "/api-[0-9a-f]{2}/", ["nothing", "MEMORY"]] }),
    ).toEqual([true, "all of them"]);
    expect(seen({ mustMention: ["pod", "evicted", ["a b", "/API-7F/"]] })).toEqual([
      false,
      'lacks "evicted", "a b | /API-7F/"',
    ]);
    expect(seen({ mustMention: ["/API-7F/i"] })[0]).toBe(true);
  });

  it("takes a path for text, not for a pattern", () => {
    const response = { answer: "Look at /var/log." };

    expect(seen({ mustMention: ["/var/log"] }, response)[0]).toBe(true);
    expect(seen({ mustMention: ["/usr/log"] }, response)[0]).toBe(false);
  });

  it("gives a pattern up that takes too long, for and against", () => {
    const response = { answer: `${"a".repeat(60)}!` };
    const reported = '"/^(a+)+$/" (the pattern takes too long)';
    const startedAt = process.cpuUsage();

    expect(seen({ mustMention: ["/^(a+)+$/"] }, response)).toEqual([false, `lacks ${reported}`]);
    expect(seen({ mustNotMention: ["/^(a+)+$/"] }, response)).toEqual([false, `says ${reported}`]);
    expect(
      seen(
        { sources: ["/^(a+)+$/"] },
        { ...answered, sources: [{ name: `${"a".repeat(60)}!` }] },
      )[0],
    ).toBe(false);
    expect(process.cpuUsage(startedAt).user / 1_000).toBeLessThan(5_000);
  });

  it("says what an answer should not have said", () => {
    expect(seen({ mustNotMention: ["evicted"] })).toEqual([true, "none of them"]);
    expect(seen({ mustNotMention: ["evicted", "OOMKilled"] })).toEqual([false, 'says "OOMKilled"']);
  });

  it("does not call a mesh that gives no answer right for what it does not say", () => {
    expect(seen({ mustNotMention: ["x"] }, refused)).toEqual([false, "no answer"]);
    expect(seen({ maxConfidence: 0.5 }, refused)).toEqual([false, "no confidence"]);
    expect(seen({ mustMention: ["x"] }, refused)).toEqual([false, "no answer"]);
    const results = checkResponse(
      { mustNotMention: ["x"], maxConfidence: 0.5, errorCode: "NOT_FOUND" },
      { response: refused },
    );
    expect(results.map(({ passed }) => passed)).toEqual([true, true, true]);
  });

  it("holds confidence against both bounds, which belong to what is right", () => {
    expect(seen({ minConfidence: 0.8 })).toEqual([true, "0.8"]);
    expect(seen({ minConfidence: 0.81 })).toEqual([false, "0.8"]);
    expect(seen({ maxConfidence: 0.8 })).toEqual([true, "0.8"]);
    expect(seen({ maxConfidence: 0.79 })).toEqual([false, "0.8"]);
    expect(seen({ minConfidence: 0 }, { answer: "yes" })).toEqual([false, "no confidence"]);
  });

  it("finds sources by whole name, by the part before #, by url and by pattern", () => {
    expect(
      seen({
        sources: [
          "runbooks/memory.md#Limits",
          "runbooks/memory.md",
          "https://wiki.example/memory",
          ["x", "wiki"],
          "/#Limits$/",
        ],
      }),
    ).toEqual([true, "runbooks/memory.md#Limits, wiki"]);
    expect(seen({ sources: ["memory.md"] })).toEqual([false, 'lacks "memory.md"']);
  });

  it("holds code and reason of an error", () => {
    expect(seen({ errorCode: "NOT_FOUND" }, refused)).toEqual([true, "NOT_FOUND"]);
    expect(seen({ errorCode: "TIMEOUT" }, refused)).toEqual([false, "NOT_FOUND"]);
    expect(seen({ errorCode: "TIMEOUT" })).toEqual([false, "no error"]);
    expect(seen({ errorReason: "out-of-domain" }, refused)).toEqual([true, "out-of-domain"]);
    expect(seen({ errorReason: "no-information" })).toEqual([false, "no error"]);
  });
});

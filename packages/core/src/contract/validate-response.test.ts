import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearlyResponse } from "../../../authoring/test/nearly-response.js";
import { roundsOf } from "../../../authoring/test/rounds.js";
import { describeValue } from "./unknown-value.js";
import { rankSources, validateResponse } from "./validate-response.js";

function problemOf(value: unknown): string {
  const checked = validateResponse(value);
  return checked.valid ? "none" : checked.problem;
}

describe("validateResponse", () => {
  it("never throws, and gives a normal form that stays as it is when checked again", () => {
    fc.assert(
      fc.property(nearlyResponse, (value) => {
        const first = validateResponse(value);
        if (!first.valid) return;
        expect(validateResponse(first.response)).toEqual(first);
      }),
      { numRuns: roundsOf(2_000) },
    );
  });

  it.each([
    [{ answer: 5 }, "answer: expected text, got 5"],
    [{ answer: "a", confidence: 2 }, "confidence: expected a number from 0 to 1, got 2"],
    [{ answer: "a", confidence: Number.NaN }, "confidence: expected a number from 0 to 1, got NaN"],
    [
      { answer: "a", sources: [{}] },
      "sources[0].name: expected text that is not blank, got undefined",
    ],
    [
      { delegate: [{ to: "b" }, {}] },
      "delegate[1].to: expected the id of a librarian, got undefined",
    ],
    [
      { error: { code: "NOPE", message: "m" } },
      "error.code: expected one of the standard codes, got text of 4 characters",
    ],
    [undefined, "response: expected an object, got undefined"],
    [{}, "response: expected at least one of answer, delegate and error"],
    [{ answer: "x".repeat(1_000_001) }, "answer: expected at most 1000000 characters, got 1000001"],
  ])("names the field and what is there, not its content: %#", (value, problem) => {
    expect(problemOf(value)).toBe(problem);
  });

  it("names no text that may be secret", () => {
    expect(problemOf({ answer: "a", confidence: "password is hunter2" })).toBe(
      "confidence: expected a number from 0 to 1, got text of 19 characters",
    );
  });

  it.each([
    { answer: "a", confidence: "hunter2" },
    { answer: "a", partial: "hunter2" },
    { answer: "a", sources: "hunter2" },
    { answer: "a", sources: [{ name: "x", relevance: "hunter2" }] },
    { answer: "a", metadata: "hunter2" },
    { error: { code: "hunter2", message: "m" } },
    { error: { code: "TIMEOUT", message: "m", recoverable: "hunter2" } },
    { delegate: "hunter2" },
    { delegate: { to: "b" }, merge: "hunter2" },
    "hunter2",
  ])("repeats no value that a librarian may have returned by mistake: %j", (value) => {
    const problem = problemOf(value);

    expect(problem).not.toContain("hunter2");
    expect(problem).toContain("text of 7 characters");
  });

  it("reads a merge strategy once: an object that changes later changes nothing", () => {
    const quorum = { quorum: 2 };

    const checked = validateResponse({ delegate: { to: "b" }, merge: quorum });
    quorum.quorum = Number.NaN;

    expect(checked).toMatchObject({ valid: true, response: { merge: { quorum: 2 } } });
  });

  it("is not fooled by an object that changes while it is read", () => {
    let reads = 0;
    const shifty = {
      get answer() {
        return reads++ === 0 ? "text" : { evil: true };
      },
    };

    const checked = validateResponse(shifty);

    expect(checked).toEqual({ valid: true, response: { answer: "text" } });
  });

  it("calls a response that throws while it is read invalid", () => {
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error("secret");
        },
      },
    );

    expect(problemOf(hostile)).toBe("response: it threw while it was being read");
  });

  it("leaves out fields that no response has", () => {
    const checked = validateResponse({ answer: "a", extra: 1 });

    expect(checked).toEqual({ valid: true, response: { answer: "a" } });
  });
});

describe("rankSources", () => {
  it("orders by relevance, and keeps the order of equals and of those without", () => {
    const names = rankSources([
      { name: "none" },
      { name: "low", relevance: 0.2 },
      { name: "high", relevance: 0.9 },
      { name: "also high", relevance: 0.9 },
      { name: "none either" },
    ]).map(({ name }) => name);

    expect(names).toEqual(["high", "also high", "low", "none", "none either"]);
  });

  it("distinguishes a name with a comma from a name and a url", () => {
    expect(rankSources([{ name: "a,b" }, { name: "a", url: "b" }])).toHaveLength(2);
  });
});

describe("describeValue", () => {
  it("names a value in at most 60 characters", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(describeValue(value).length).toBeLessThanOrEqual(60);
      }),
    );
  });
});

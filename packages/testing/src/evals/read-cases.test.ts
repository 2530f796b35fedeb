import { describe, expect, it } from "vitest";
import { readCases } from "./read-cases.js";

const good = { id: "one", query: "Why?", expect: { mustMention: ["because"] } };

/** The message about cases given as values, one per line. */
function problemOf(...cases: readonly unknown[]): string {
  return problemOfText(cases.map((each) => JSON.stringify(each)).join("\n"));
}

function problemOfText(text: string): string {
  try {
    readCases(text, "cases.jsonl");
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(TypeError);
    return (thrown as TypeError).message;
  }
  return "none";
}

function withExpect(expected: unknown) {
  return { ...good, expect: expected };
}

describe("readCases", () => {
  it("reads a case per line, blank lines, Windows line ends and a byte order mark aside", () => {
    const other = {
      id: "two",
      query: "Who?",
      to: "desk",
      tags: ["dev"],
      expect: {
        librarians: { exactly: [] },
        delegates: ["k8s"],
        notLibrarians: ["docs"],
        mustMention: [["OOMKilled", "/out of memory/i"], "pod"],
        mustNotMention: ["healthy"],
        minConfidence: 0,
        maxConfidence: 1,
        sources: ["runbooks/a.md"],
        errorCode: "NOT_FOUND",
        errorReason: "out-of-domain",
      },
    };

    const cases = readCases(
      `\uFEFF${JSON.stringify(good)}\r\n\r\n${JSON.stringify(other)}\n`,
      "cases.jsonl",
    );

    expect(cases).toEqual([good, other]);
  });

  it("names file, line, key and value of everything that is wrong", () => {
    const problem = problemOf(
      good,
      { ...good, id: "two", expect: { minConfidence: 7, librarians: "k8s" } },
      { ...good, id: "three", expct: {} },
    );

    expect(problem.split("\n")).toEqual([
      'cases.jsonl:2: expect.librarians: expected a list of ids, or { "exactly": [ids] }, got "k8s"',
      "cases.jsonl:2: expect.minConfidence: expected a number from 0 to 1, got 7",
      'cases.jsonl:3: unknown key "expct"',
    ]);
  });

  it.each([
    ["no JSON", "{", "is not JSON"],
    ["no object", "[]", "expected an object"],
    ["an empty file", "\n\n", "cases.jsonl: holds no case"],
  ])("refuses %s", (_, text, part) => {
    expect(problemOfText(text)).toContain(part);
  });

  it.each([
    ["nothing expected", {}, "expect: expected at least one of librarians"],
    ["an unknown expectation", { mention: ["x"] }, 'expect: unknown key "mention"'],
    ["an unknown code", { errorCode: "ERROR" }, "expect.errorCode: "],
    ["an unknown reason", { errorReason: "tired" }, "expect.errorReason: "],
    ["no librarians", { librarians: [] }, "expect.librarians: "],
    ["a broken pattern", { mustMention: ["ok", ["/(/"]] }, "expect.mustMention.1: Invalid regular"],
    ["blank text", { mustNotMention: [" "] }, "expect.mustNotMention.0: expected text"],
    ["a list in a list", { sources: [[["a"]]] }, "expect.sources.0: expected text"],
    ["an empty list of any", { mustMention: [[]] }, "expect.mustMention.0: expected a list of 1"],
  ])("refuses %s", (_, expected, part) => {
    expect(problemOf(withExpect(expected))).toContain(`cases.jsonl:1: ${part}`);
  });

  it("refuses an id used twice, naming both lines", () => {
    expect(problemOf(good, good)).toBe('cases.jsonl:2: id: "one" is also the id of line 1');
  });

  it("reports twenty problems at most, and how many more there are", () => {
    const lines = problemOfText("{\n".repeat(25)).split("\n");

    expect(lines).toHaveLength(21);
    expect(lines.at(-1)).toBe("and 5 more");
  });

  it("has bounds for a line and for the number of cases", () => {
    expect(problemOf({ ...good, query: "x".repeat(10_001) })).toContain(
      "query: expected at most 10000 characters",
    );
    expect(problemOfText("x".repeat(100_001))).toContain("is longer than 100000 characters");
    const many = Array.from({ length: 10_001 }, (_, place) => ({ ...good, id: `case-${place}` }));
    expect(problemOf(...many)).toContain("holds 10001 cases, at most 10000 are read");
  });
});

import { type Response, validateResponse } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, returning, watched } from "./mesh.js";
import { isValidResponse } from "./valid.js";

describe("what is a response", () => {
  it("CORE-022 are the four examples", () => {
    const examples = [
      {
        answer: "The answer to your query...",
        sources: [{ name: "Deployment Guide" }],
        confidence: 0.9,
      },
      { delegate: { to: "expert-librarian", query: "refined query" } },
      {
        error: { code: "NOT_FOUND", message: "Could not find information", recoverable: true },
      },
      { answer: "Partial information...", partial: true, confidence: 0.5 },
    ] as const satisfies readonly Response[];

    expect(examples.filter(isValidResponse)).toEqual(examples);
    expect(examples.map((each) => validateResponse(each))).toEqual(
      examples.map((response) => ({ valid: true, response })),
    );
  });

  it("CORE-037 is a delegate request only with `to`", () => {
    expect(isValidResponse({ delegate: { query: "q" } })).toBe(false);
    expect(isValidResponse({ delegate: { to: "" } })).toBe(false);
    expect(isValidResponse({ delegate: { to: "b" } })).toBe(true);
  });

  it("CORE-041 RES-06: is not an empty delegate array alone", () => {
    expect(isValidResponse({ delegate: [] })).toBe(false);
    expect(isValidResponse({ answer: "a", delegate: [] })).toBe(true);
  });

  it("CORE-041 RES-06: is an answer, where an empty delegate array is beside it", async () => {
    const response = await meshOf({ a: answers("a", { delegate: [] }) }).ask("q");

    expect(response).toEqual({ answer: "a" });
  });

  it("CORE-072 has at least one of answer, delegate and error", () => {
    expect([{}, { confidence: 1 }, { partial: true }, { sources: [], metadata: {} }]).toSatisfy(
      (all: readonly object[]) => all.every((each) => !isValidResponse(each)),
    );
    expect(
      [{ answer: "a" }, { delegate: { to: "b" } }, { error: { code: "TIMEOUT", message: "" } }].map(
        isValidResponse,
      ),
    ).toEqual([true, true, true]);
  });

  it("is not null, an array, text, a function or a bare value", () => {
    const values = [undefined, null, [], [{ answer: "a" }], "a", 5, Number.NaN, true, () => ({})];

    expect(values.filter(isValidResponse)).toEqual([]);
  });

  it("is checked without throwing, and says which field is wrong", () => {
    const problemOf = (value: unknown) => {
      const checked = validateResponse(value);
      return checked.valid ? undefined : checked.problem;
    };

    expect(problemOf({ answer: "a", confidence: 2 })).toMatch(/^confidence: .*a number/);
    expect(problemOf({ answer: "a", sources: [{ name: "x" }, {}] })).toMatch(/^sources\[1\]\.name/);
    expect(problemOf({ delegate: [{ to: "b" }, {}] })).toMatch(/^delegate\[1\]\.to/);
    expect(problemOf({ error: { code: "NOPE", message: "m" } })).toMatch(
      /^error\.code: .*text of 4/,
    );
    expect(problemOf(Proxy.revocable({}, {}))).toMatch(/^response: /);
  });
});

describe("the router's check of every response", () => {
  const invalid: Readonly<Record<string, unknown>> = {
    "no answer, delegate or error": { confidence: 1 },
    "confidence 2": { answer: "a", confidence: 2 },
    "a source without a name": { answer: "a", sources: [{ url: "https://x.example" }] },
    "the code NOPE": { error: { code: "NOPE", message: "m" } },
    "a delegate without `to`": { delegate: [{ to: "b" }, {}] },
    "an empty delegate array": { delegate: [] },
  };

  for (const [what, value] of Object.entries(invalid)) {
    it(`CORE-072 gives INTERNAL_ERROR, invalid-response for ${what}`, async () => {
      const response = await meshOf({ a: returning(value), b: answers("B") }).ask("q");

      expect(response.error).toMatchObject({
        code: "INTERNAL_ERROR",
        librarian: "a",
        details: { reason: "invalid-response" },
      });
      expect(response.answer).toBeUndefined();
    });
  }

  for (const nothing of [undefined, null, {}]) {
    it(`CORE-068 gives INTERNAL_ERROR, invalid-response for ${JSON.stringify(nothing)}`, async () => {
      const response = await meshOf({ a: returning(nothing) }).ask("q");

      expect(response).toMatchObject({
        error: { code: "INTERNAL_ERROR", details: { reason: "invalid-response" } },
      });
    });
  }

  it("CORE-073 covers each item of a delegate array: none is asked when one is wrong", async () => {
    const b = watched(answers("B"));

    const response = await meshOf({
      a: returning({ delegate: [{ to: "b" }, {}] }),
      b: b.librarian,
    }).ask("q");

    expect(response.error?.details?.reason).toBe("invalid-response");
    expect(b.queries).toEqual([]);
  });

  it("CORE-073 lets the others answer when one delegate is unknown, and reports that one", async () => {
    const response = await meshOf({
      a: async () => ({ delegate: [{ to: "b" }, { to: "nobody" }] }),
      b: answers("B"),
    }).ask("q");

    expect(response).toMatchObject({
      answer: "B",
      partial: true,
      metadata: {
        missing: [{ to: "nobody", code: "DELEGATION_FAILED", reason: "unknown-librarian" }],
      },
    });
  });

  it.each([
    [{ answer: "" }, "the answer is blank"],
    [{ answer: " \n" }, "the answer is blank"],
    [{ anwser: "a" }, 'unknown key "anwser". Did you mean "answer"?'],
    [{ answer: "a", confidance: 1 }, 'unknown key "confidance". Did you mean "confidence"?'],
    [{ answer: "a", Sources: [] }, 'unknown key "Sources". Did you mean "sources"?'],
    [{ delegate: { to: "b", qery: "c" } }, 'delegate: unknown key "qery". Did you mean "query"?'],
    [{ delegate: [{ to: "b", users: {} }] }, 'delegate[0]: unknown key "users". Did you mean'],
    [
      { error: { code: "NOT_FOUND", message: "no", detail: {} } },
      'error: unknown key "detail". Did you mean "details"?',
    ],
  ])("refuses %j and says why", async (value, problem) => {
    const { error } = await meshOf({ a: returning(value) }).ask("q");

    expect(error).toMatchObject({
      code: "INTERNAL_ERROR",
      details: { reason: "invalid-response" },
    });
    expect(error?.details?.problem).toContain(problem);
  });

  it("CORE-072 lets nothing but the fields of a response through", async () => {
    const response = await meshOf({ a: returning({ answer: "a", password: "x" }) }).ask("q");

    expect(response).toEqual({ answer: "a" });
  });
});

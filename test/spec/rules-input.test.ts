import { type RouterOptions, routerDefaults } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, passesTo, returning, watched } from "./mesh.js";
import { isValidResponse } from "./valid.js";

/** Data nested `levels` deep, itself counted. */
function nested(levels: number): Record<string, unknown> {
  let data: Record<string, unknown> = { end: true };
  for (let level = 1; level < levels; level++) data = { in: data };
  return data;
}

const cyclic: Record<string, unknown> = {};
cyclic.self = [cyclic];

/** Asks one librarian; gives what it received and the response. */
async function ask(query: string, metadata: Record<string, unknown>, options: RouterOptions = {}) {
  const { librarian, queries } = watched(answers("A"));
  const response = await meshOf({ a: librarian }, options).ask(query, { metadata });
  expect(isValidResponse(response)).toBe(true);
  return { response, calls: queries.length };
}

async function codeOf(asked: ReturnType<typeof ask>): Promise<string> {
  const { response, calls } = await asked;
  expect(calls).toBe(response.error === undefined ? 1 : 0); // what is refused is not called
  return response.error?.code ?? "answered";
}

describe("maxQueryLength", () => {
  it("is 1,000,000 by default: one more is INVALID_QUERY, and the librarian is not called", async () => {
    expect(await codeOf(ask("q".repeat(1_000_000), {}))).toBe("answered");
    expect(await codeOf(ask("q".repeat(1_000_001), {}))).toBe("INVALID_QUERY");
  });

  it("holds for the caller's query, a delegate's and that of context.ask", async () => {
    const b = watched(answers("B"));
    const mesh = meshOf(
      {
        delegating: returning({ delegate: { to: "b", query: "longer" } }),
        asking: async (_query, context) => (await context?.ask?.("longer", { to: "b" })) ?? {},
        b: b.librarian,
      },
      { maxQueryLength: 5 },
    );

    expect((await mesh.ask("longer", { to: "b" })).error?.code).toBe("INVALID_QUERY");
    expect((await mesh.ask("q", { to: "delegating" })).error?.code).toBe("INTERNAL_ERROR");
    expect((await mesh.ask("q", { to: "asking" })).error?.code).toBe("INVALID_QUERY");
    expect(b.queries).toEqual([]);
  });

  it("can be raised above the default, for delegates as well", async () => {
    const long = "q".repeat(1_500_000);
    const mesh = meshOf(
      { a: returning({ delegate: { to: "b", query: long } }), b: answers("B") },
      { maxQueryLength: 2_000_000 },
    );

    expect((await mesh.ask("q")).answer).toBe("B");
    expect((await mesh.ask(long)).answer).toBe("B");
  });
});

describe("maxAnswerLength and maxSources", () => {
  const sources = ["one", "two"].map((name) => ({ name }));

  it("make a response with more invalid; the error names the field and the maximum", async () => {
    const of = (response: object, options: RouterOptions) =>
      meshOf({ a: returning(response) }, options).ask("q");

    expect((await of({ answer: "12345" }, { maxAnswerLength: 5 })).answer).toBe("12345");
    const long = await of({ answer: "123456" }, { maxAnswerLength: 5 });
    expect(long.error).toMatchObject({ code: "INTERNAL_ERROR" });
    expect(long.error?.details).toMatchObject({ reason: "invalid-response" });
    expect(JSON.stringify(long.error)).toContain("answer: expected at most 5 characters, got 6");
    expect((await of({ answer: "a", sources }, { maxSources: 2 })).sources).toHaveLength(2);
    const many = await of({ answer: "a", sources }, { maxSources: 1 });
    expect(JSON.stringify(many.error)).toContain("sources: expected at most 1 items, got 2");
  });

  it("can be raised above their defaults", async () => {
    const answer = "a".repeat(routerDefaults.maxAnswerLength + 1);
    const mesh = meshOf({ a: answers(answer) }, { maxAnswerLength: Number.POSITIVE_INFINITY });

    expect((await mesh.ask("q")).answer).toHaveLength(1_000_001);
  });

  it("hold for what is merged: answers are cut, the most relevant sources stay", async () => {
    const branch = (name: string, relevance: number) =>
      answers(name.repeat(300), { sources: [{ name, relevance }] });
    const response = await meshOf(
      { a: passesTo("b", "c"), b: branch("b", 0.2), c: branch("c", 0.9) },
      { maxAnswerLength: 400, maxSources: 1 },
    ).ask("q");

    expect(response.answer?.length).toBeLessThanOrEqual(400);
    expect(response.partial).toBe(true);
    expect(response.sources).toEqual([{ name: "c", relevance: 0.9 }]);
  });
});

describe("maxMetadataLength", () => {
  it("counts keys and texts, 8 for any other value, and the bytes of a buffer", async () => {
    const size = (metadata: Record<string, unknown>, maxMetadataLength: number) =>
      codeOf(ask("q", metadata, { maxMetadataLength }));

    // 8 for the object, 3 for its key, and the value
    expect(await size({ key: "12345" }, 16)).toBe("answered");
    expect(await size({ key: "123456" }, 16)).toBe("INVALID_QUERY");
    expect(await size({ key: [1, 2] }, 35)).toBe("answered");
    expect(await size({ key: [1, 2] }, 34)).toBe("INVALID_QUERY");
    expect(await size({ key: new Uint8Array(100) }, 111)).toBe("answered");
    expect(await size({ key: new Uint8Array(100) }, 110)).toBe("INVALID_QUERY");
  });

  it("is 16,777,216 by default, and a list is read no further", async () => {
    expect(await codeOf(ask("q", { text: "t".repeat(16_700_000) }))).toBe("answered");
    expect(await codeOf(ask("q", { text: "t".repeat(16_777_216) }))).toBe("INVALID_QUERY");
    const list: unknown[] = [];
    list.length = 4_000_000_000;
    expect(await codeOf(ask("q", { list }))).toBe("INVALID_QUERY");
  });

  it("holds for what delegates and context.ask add, and for the metadata of a response", async () => {
    const b = watched(answers("B"));
    const context = { text: "t".repeat(1_000) };
    const mesh = meshOf(
      {
        delegating: returning({ delegate: { to: "b", context } }),
        asking: async (_query, own) => (await own?.ask?.("q", { to: "b", context })) ?? {},
        answering: returning({ answer: "a", metadata: context }),
        b: b.librarian,
      },
      { maxMetadataLength: 500 },
    );

    expect((await mesh.ask("q", { to: "delegating" })).error?.code).toBe("INVALID_QUERY");
    expect((await mesh.ask("q", { to: "asking" })).error?.code).toBe("INVALID_QUERY");
    expect(b.queries).toEqual([]);
    const { error } = await mesh.ask("q", { to: "answering" });
    expect(JSON.stringify(error)).toContain("metadata: expected at most 500 characters");
  });
});

describe("maxMetadataDepth", () => {
  it("is 64 levels by default, of objects and lists; an option sets another", async () => {
    expect(await codeOf(ask("q", nested(64)))).toBe("answered");
    expect(await codeOf(ask("q", nested(65)))).toBe("INVALID_QUERY");
    expect(await codeOf(ask("q", { list: [[1]] }, { maxMetadataDepth: 3 }))).toBe("answered");
    expect(await codeOf(ask("q", { list: [[1]] }, { maxMetadataDepth: 2 }))).toBe("INVALID_QUERY");
  });

  it("carries data that contains itself, from a caller and from a librarian", async () => {
    expect(await codeOf(ask("q", cyclic))).toBe("answered");
    const { answer } = await meshOf({ a: answers("A", { metadata: cyclic }) }).ask("q");
    expect(answer).toBe("A");
  });

  it("does not look into what is not plain data, and calls no getter of it", async () => {
    let reads = 0;
    const tricky = {
      client: new Map([["a", cyclic]]),
      inner: {
        get secret() {
          reads++;
          throw new Error("password=hunter2");
        },
      },
    };

    expect(await codeOf(ask("q", tricky, { maxMetadataLength: 1_000 }))).toBe("answered");
    expect(reads).toBe(0);
  });

  it("counts as one value what throws while it is read", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    expect(await codeOf(ask("q", { proxy }, { maxMetadataLength: 21 }))).toBe("answered");
    expect(await codeOf(ask("q", { proxy }, { maxMetadataLength: 20 }))).toBe("INVALID_QUERY");
  });

  it("and the length end data whose parts are shared, before it is expanded", async () => {
    let shared: object = { v: 1 };
    for (let level = 0; level < 60; level++) shared = { a: shared, b: shared };

    expect(await codeOf(ask("q", { shared }))).toBe("INVALID_QUERY");
  });
});

import { type MeshLibrarian, type RouterOptions, routerDefaults } from "@constellation/core";
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

async function errorCode(asked: ReturnType<typeof ask>): Promise<string> {
  const { response, calls } = await asked;
  expect(calls).toBe(response.error === undefined ? 1 : 0); // what is refused is not called
  return response.error?.code ?? "answered";
}

describe("maxQueryLength", () => {
  it("is 1,000,000 by default: one more is INVALID_QUERY, and the librarian is not called", async () => {
    expect(await errorCode(ask("q".repeat(1_000_000), {}))).toBe("answered");
    expect(await errorCode(ask("q".repeat(1_000_001), {}))).toBe("INVALID_QUERY");
  });

  it("holds for the caller's query, a delegate's and that of context.ask", async () => {
    const b = watched(answers("B"));
    const mesh = meshOf(
      {
        delegating: returning({ delegate: { to: "b", query: "longer" } }),
        asking: async (_query, context) => await context.ask("longer", { to: "b" }),
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
      errorCode(ask("q", metadata, { maxMetadataLength }));

    // 8 for the object, 3 for its key, and the value
    expect(await size({ key: "12345" }, 16)).toBe("answered");
    expect(await size({ key: "123456" }, 16)).toBe("INVALID_QUERY");
    expect(await size({ key: [1, 2] }, 35)).toBe("answered");
    expect(await size({ key: [1, 2] }, 34)).toBe("INVALID_QUERY");
    expect(await size({ key: new Uint8Array(100) }, 111)).toBe("answered");
    expect(await size({ key: new Uint8Array(100) }, 110)).toBe("INVALID_QUERY");
  });

  it("is 16,777,216 by default, and a list is read no further", async () => {
    expect(await errorCode(ask("q", { text: "t".repeat(16_700_000) }))).toBe("answered");
    expect(await errorCode(ask("q", { text: "t".repeat(16_777_216) }))).toBe("INVALID_QUERY");
    const list: unknown[] = [];
    list.length = 4_000_000_000;
    expect(await errorCode(ask("q", { list }))).toBe("INVALID_QUERY");
  });

  it("holds for what delegates and context.ask add, and for the metadata of a response", async () => {
    const b = watched(answers("B"));
    const context = { text: "t".repeat(1_000) };
    const mesh = meshOf(
      {
        delegating: returning({ delegate: { to: "b", context } }),
        asking: async (_query, own) => await own.ask("q", { to: "b", context }),
        answering: returning({ answer: "a", metadata: context }),
        b: b.librarian,
      },
      { maxMetadataLength: 500 },
    );

    const delegated = await mesh.ask("q", { to: "delegating" });
    expect(delegated.error?.details?.problem).toBe(
      "delegate.context: expected at most 500 characters, keys included, got more",
    );
    expect((await mesh.ask("q", { to: "asking" })).error?.code).toBe("INVALID_QUERY");
    expect(b.queries).toEqual([]);
    const { error } = await mesh.ask("q", { to: "answering" });
    expect(JSON.stringify(error)).toContain("metadata: expected at most 500 characters");
  });
});

describe("maxMetadataDepth", () => {
  it("is 64 levels by default, of objects and lists; an option sets another", async () => {
    expect(await errorCode(ask("q", nested(64)))).toBe("answered");
    expect(await errorCode(ask("q", nested(65)))).toBe("INVALID_QUERY");
    expect(await errorCode(ask("q", { list: [[1]] }, { maxMetadataDepth: 3 }))).toBe("answered");
    expect(await errorCode(ask("q", { list: [[1]] }, { maxMetadataDepth: 2 }))).toBe(
      "INVALID_QUERY",
    );
  });

  it("does not look into what is not plain data", async () => {
    const client = new Map([["a", cyclic]]);

    expect(await errorCode(ask("q", { client }, { maxMetadataLength: 1_000 }))).toBe("answered");
  });

  it("and the length end data whose parts are shared, before it is expanded", async () => {
    let shared: object = { v: 1 };
    for (let level = 0; level < 60; level++) shared = { a: shared, b: shared };

    expect(await errorCode(ask("q", { shared }))).toBe("INVALID_QUERY");
  });
});

describe("data that cannot be carried", () => {
  const revoked = () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  };
  const itself: { list: unknown[] } = { list: [0] };
  itself.list.push({ itself });
  const throwing = {
    get secret() {
      throw new Error("password=hunter2");
    },
  };

  describe.each<[string, Record<string, unknown>, string]>([
    [
      "a bigint",
      { facts: { pods: [1, { age: 5n }] } },
      ".facts.pods[1].age: expected what JSON can carry, got a bigint",
    ],
    [
      "an object that contains itself",
      { deep: itself },
      ".deep.list[1].itself: expected what JSON can carry, got an object that contains itself",
    ],
    ["a getter that throws", { inner: throwing }, ".inner: it threw while it was being read"],
    ["a revoked proxy", { proxy: revoked() }, ".proxy: it threw while it was being read"],
    ["a bigint under a long key", { "a key\n": 5n }, ".(a key of 6 characters): expected"],
  ])("%s", (_what, data, problem) => {
    it("is refused in metadata of a caller, with its key", async () => {
      const { response } = await ask("q", data);

      expect(response.error).toMatchObject({
        code: "INVALID_QUERY",
        message: expect.stringContaining(`metadata${problem}`),
      });
    });

    it("makes a response invalid, in metadata, details and delegate.context", async () => {
      const mesh = meshOf({
        metadata: returning({ answer: "a", metadata: data }),
        details: returning({ error: { code: "NOT_FOUND", message: "m", details: data } }),
        delegate: returning({ delegate: [{ to: "a" }, { to: "a", context: data }] }),
      });
      const problemOf = async (to: string) => (await mesh.ask("q", { to })).error?.details?.problem;

      expect(await problemOf("metadata")).toContain(`metadata${problem}`);
      expect(await problemOf("details")).toContain(`error.details${problem}`);
      expect(await problemOf("delegate")).toContain(`delegate[1].context${problem}`);
    });

    it("is refused in context.ask, and the librarian continues", async () => {
      const b = watched(answers("B"));
      const asking: MeshLibrarian = async (query, context) => {
        const { error } = await context.ask(query, { to: "b", context: data });
        return { answer: error?.message ?? "none" };
      };

      const { answer } = await meshOf({ a: asking, b: b.librarian }).ask("q", { to: "a" });

      expect(answer).toContain(`metadata${problem}`);
      expect(b.queries).toEqual([]);
    });
  });
});

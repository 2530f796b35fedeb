import {
  type AskOptions,
  createRouter,
  type LibrarianDefinition,
  type RouterOptions,
  routerDefaults,
} from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, scriptedAi } from "./mesh.js";

/** Key, value, and what the message must say of the value. */
type Row = readonly [key: string, value: unknown, says?: RegExp];

const durations: readonly Row[] = [
  ["timeoutMs", 0, /\b0\b/],
  ["timeoutMs", -1, /-1/],
  ["timeoutMs", 0.5, /0\.5/],
  ["timeoutMs", Number.NaN, /NaN/],
  ["timeoutMs", 2_147_483_648, /2147483648/],
  ["timeoutMs", Number.NEGATIVE_INFINITY, /-Infinity/],
  ["timeoutMs", "5s", /"5s"/],
  ["timeoutMs", null, /null/],
  ["timeoutMs", 5n, /bigint/],
];

const counts = (key: string, least: number): readonly Row[] => [
  [key, least - 1, new RegExp(`${least - 1}`)],
  [key, 1.5, /1\.5/],
  [key, Number.NaN, /NaN/],
  [key, "4", /"4"/],
  [key, null, /null/],
  [key, true, /true/],
];

const merges: readonly Row[] = [
  ["merge", "loudest", /"loudest"/],
  ["merge", "", /""/],
  ["merge", { quorum: 0 }],
  ["merge", { quorum: 1.5 }],
  ["merge", { quorum: "2" }],
  ["merge", {}],
  ["merge", 5],
  ["merge", null],
];

const budgets: readonly Row[] = [
  ["budget", 100, /100/],
  ["budget", null, /null/],
  ["budget", { tokens: -1 }, /tokens.*-1/],
  ["budget", { tokens: "all" }, /tokens.*"all"/],
  ["budget", { tokens: Number.NaN }, /tokens.*NaN/],
  ["budget", { costUsd: -0.01 }, /costUsd.*-0\.01/],
  ["budget", { dollars: 1 }, /"dollars"/],
];

const models: readonly Row[] = [
  ["ai", {}],
  ["ai", { complete: () => {} }],
  ["ai", "gpt", /"gpt"/],
  ["ai", null, /null/],
];

/** Expects a throw, at once, that names the key and the value. */
function expectRefusal(key: string, says: RegExp | undefined, misuse: () => unknown): void {
  let thrown: unknown;
  try {
    misuse();
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toSatisfy(
    (error: unknown) => error instanceof TypeError || error instanceof RangeError,
  );
  expect((thrown as Error).message).toContain(key);
  if (says !== undefined) expect((thrown as Error).message).toMatch(says);
}

function named(value: unknown): string {
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  return typeof value === "function" ? "a function" : (JSON.stringify(value) ?? String(value));
}

describe("createRouter, wrong options", () => {
  const rows: readonly Row[] = [
    ...durations,
    ...counts("maxDepth", 1),
    ...counts("maxHops", 0),
    ...counts("maxFanout", 1),
    ...counts("fanoutConcurrency", 1),
    ...counts("maxQueryLength", 1),
    ...counts("maxAnswerLength", 1),
    ...counts("maxSources", 0),
    ...counts("maxMetadataLength", 1),
    ...counts("maxMetadataDepth", 1),
    ["maxMetadataDepth", Number.POSITIVE_INFINITY, /Infinity/],
    ...merges,
    ...budgets,
    ...models,
    ["name", "", /""/],
    ["name", 5, /5/],
    ["entry", "", /""/],
    ["entry", {}, /object/],
    ["loops", "none", /"none"/],
    ["loops", true, /true/],
    ["recordContent", "yes", /"yes"/],
    ["recordContent", 1, /1/],
    ["maxdepth", 5, /"maxdepth"/],
    ["timeout", 5_000, /"timeout"/],
  ];

  for (const [key, value, says] of rows) {
    it(`throws TypeError or RangeError for ${key}: ${named(value)}`, () => {
      expectRefusal(key, says, () => createRouter({ [key]: value } as RouterOptions));
    });
  }

  for (const options of [null, [], "fast", 5, () => ({})]) {
    it(`throws TypeError for ${named(options)} instead of options`, () => {
      expectRefusal("options", undefined, () => createRouter(options as RouterOptions));
    });
  }
});

describe("createRouter, right options", () => {
  it("have the defaults that the design names", () => {
    expect(routerDefaults).toMatchObject({
      timeoutMs: 30_000,
      maxDepth: 5,
      maxHops: 64,
      maxFanout: 16,
      fanoutConcurrency: 4,
      maxQueryLength: 1_000_000,
      maxAnswerLength: 1_000_000,
      maxSources: 10_000,
      maxMetadataLength: 16_777_216,
      maxMetadataDepth: 64,
      merge: "merge-all",
      loops: "path",
    });
  });

  const accepted: readonly RouterOptions[] = [
    {},
    { timeoutMs: 1 },
    { timeoutMs: 2_147_483_647 },
    { timeoutMs: Number.POSITIVE_INFINITY },
    { maxDepth: 1, maxHops: 0, maxFanout: 1, fanoutConcurrency: 1 },
    { maxDepth: Infinity, maxHops: Infinity, maxFanout: Infinity, fanoutConcurrency: Infinity },
    { maxQueryLength: 1, maxAnswerLength: 1, maxSources: 0, maxMetadataLength: 8 },
    { maxQueryLength: Infinity, maxSources: Infinity, maxMetadataLength: Infinity },
    { merge: { quorum: 2 } },
    { merge: () => ({ answer: "a" }) },
    { budget: { tokens: 0, costUsd: 0 } },
    { budget: { tokens: Number.POSITIVE_INFINITY } },
    { loops: "work", name: "incident", entry: "a", ai: scriptedAi("ok") },
    { timeoutMs: undefined, merge: undefined, budget: undefined, entry: undefined },
  ];
  for (const options of accepted) {
    it(`are accepted, and answer: ${named(options)}`, async () => {
      const router = createRouter({ ...options, maxHops: options.maxHops || undefined });
      router.register({ id: "a", description: "answers", librarian: answers("A") });

      expect((await router.ask("q")).answer).toBe("A");
      expect(() => createRouter(options)).not.toThrow();
    });
  }
});

describe("router.ask and router.start, wrong options", () => {
  const rows: readonly Row[] = [
    ...durations,
    ...merges,
    ...budgets,
    ...models,
    ["to", "", /""/],
    ["to", 5, /5/],
    ["to", ["a"], /array/],
    ["signal", {}, /object/],
    ["signal", new AbortController(), /object/],
    ["signal", null, /null/],
    ["user", "u1", /"u1"/],
    ["user", {}],
    ["user", { id: "" }],
    ["user", { id: 5 }],
    ["user", null, /null/],
    ["metadata", [], /array/],
    ["metadata", "x", /"x"/],
    ["metadata", null, /null/],
    ["trace", {}],
    ["trace", "00-abc", /text|"00-abc"/],
    ["trace", { traceId: "0".repeat(32), spanId: "b7ad6b7169203331" }],
    ["trace", { traceId: "0AF7651916CD43DD8448EB211C80319C", spanId: "b7ad6b7169203331" }],
    ["timeout", 5, /"timeout"/],
  ];

  for (const [key, value, says] of rows) {
    it(`throw TypeError or RangeError at once for ${key}: ${named(value)}`, () => {
      const router = meshOf({ a: answers("A") });
      const options = { [key]: value } as AskOptions;

      expectRefusal(key, says, () => router.ask("q", options));
      expectRefusal(key, says, () => router.start("q", options));
    });
  }

  for (const options of [null, [], "fast", 5]) {
    it(`throw TypeError for ${named(options)} instead of options`, () => {
      const router = meshOf({ a: answers("A") });

      expectRefusal("options", undefined, () => router.ask("q", options as AskOptions));
    });
  }

  it("do not throw for a wrong query: that is a response", async () => {
    const router = meshOf({ a: answers("A") });

    expect((await router.ask(undefined as never)).error?.code).toBe("INVALID_QUERY");
    expect((await router.start("").response).error?.code).toBe("INVALID_QUERY");
  });
});

describe("router.register, wrong definitions", () => {
  const good = { id: "a", description: "answers", librarian: answers("A") };
  const rows: readonly Row[] = [
    ["id", undefined, /undefined/],
    ["id", 5, /5/],
    ["id", "", /""/],
    ["id", "Docs", /"Docs"/],
    ["id", "a_b", /"a_b"/],
    ["id", "a b", /"a b"/],
    ["id", "ä", /"ä"/],
    ["id", "a\n", /a\\n/],
    ["id", "x".repeat(65)],
    ["description", undefined, /undefined/],
    ["description", "  "],
    ["description", 5, /5/],
    ["librarian", undefined, /undefined/],
    ["librarian", {}, /object/],
    ["name", "", /""/],
    ["name", 5, /5/],
    ["team", " "],
    ["capabilities", "kubernetes", /"kubernetes"/],
    ["capabilities", [5], /5/],
    ["capabilities", ["Kubernetes"], /"Kubernetes"/],
    ["capabilities", ["a b"], /"a b"/],
    ["examples", "why?"],
    ["examples", [5], /5/],
    ["delegatesTo", "b", /"b"/],
    ["delegatesTo", ["B"], /"B"/],
    ["effects", "delete", /"delete"/],
    ["effects", true, /true/],
    ...durations,
    ["start", {}, /object/],
    ["close", "now", /"now"/],
    ["health", true, /true/],
    ["Name", "x", /"Name"/],
  ];

  for (const [key, value, says] of rows) {
    it(`throws TypeError or RangeError, and adds nothing, for ${key}: ${named(value)}`, () => {
      const router = createRouter();
      const definition = { ...good, [key]: value } as LibrarianDefinition;

      expectRefusal(key, says, () => router.register(definition));
      expect(router.list()).toEqual([]);
    });
  }

  for (const definition of [undefined, null, [], answers("A")]) {
    it(`throws TypeError for ${named(definition)} instead of a definition`, () => {
      const router = createRouter();

      expectRefusal("definition", undefined, () => router.register(definition as never));
    });
  }

  it("throws RangeError for an id that is taken, and keeps the one there is", async () => {
    const router = createRouter();
    router.register(good);

    expect(() => router.register({ ...good, librarian: answers("other") })).toThrow(RangeError);
    expect(() => router.register({ ...good })).toThrow(/"a"/);
    expect((await router.ask("q")).answer).toBe("A");
    expect(router.list()).toHaveLength(1);
  });

  it("names the librarian in the message about any other key", () => {
    expectRefusal("effects", /"a"/, () =>
      createRouter().register({ ...good, effects: "delete" as never }),
    );
  });
});

describe("router.register, right definitions", () => {
  it("need an id, a description and a librarian, no more", async () => {
    const router = createRouter();
    router.register({ id: "0-a", description: "x", librarian: answers("A") });

    expect(await router.ask("q")).toEqual({ answer: "A" });
    expect(router.list()).toEqual([{ id: "0-a", description: "x" }]);
  });

  it("are copied: changing them later changes nothing", async () => {
    const router = createRouter();
    const capabilities = ["kubernetes"];
    const definition = { id: "a", description: "x", capabilities, librarian: answers("A") };
    router.register(definition);

    capabilities.push("docs");
    Object.assign(definition, { id: "b", librarian: answers("other") });

    expect(router.list()).toEqual([{ id: "a", description: "x", capabilities: ["kubernetes"] }]);
    expect((await router.ask("q", { to: "a" })).answer).toBe("A");
  });
});

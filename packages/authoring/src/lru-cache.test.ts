import { createLruCache } from "@constellation/authoring/cache";
import { createRouter } from "@constellation/core";
import { afterEach, describe, expect, it, vi } from "vitest";

afterEach(() => {
  vi.useRealTimers();
});

function cached(answer: string) {
  return { response: { answer }, freshUntil: Date.now() + 1_000 };
}

describe("createLruCache", () => {
  it("keeps the answers of a librarian for their time", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
    let calls = 0;
    const router = createRouter();
    router.register({
      id: "docs",
      description: "reads",
      librarian: async (query) => ({ answer: `${query} ${++calls}` }),
      cache: { store: createLruCache(), ttlMs: 1_000 },
    });
    const ask = async (query: string) => (await router.ask(query)).answer;

    expect([await ask("C++"), await ask("C#"), await ask("C++")]).toEqual([
      "C++ 1",
      "C# 2",
      "C++ 1",
    ]);
    vi.setSystemTime(1_001_000);
    expect(await ask("C++")).toBe("C++ 3");
  });

  it("drops the answers that were not used for longest, by number and by size", async () => {
    const few = createLruCache({ maxEntries: 2 });
    for (const key of ["a", "b"]) await few.set(key, cached(key), 1_000);
    await few.get("a");
    await few.set("c", cached("c"), 1_000);
    expect(await Promise.all(["a", "b", "c"].map(async (key) => await few.get(key)))).toMatchObject(
      [{ response: { answer: "a" } }, undefined, { response: { answer: "c" } }],
    );

    const small = createLruCache({ maxCharacters: 1_500 });
    for (const key of ["a", "b"]) await small.set(key, cached("x".repeat(1_000)), 1_000);
    await small.set("large", cached("x".repeat(2_000)), 1_000);
    expect([await small.get("a"), await small.get("large")]).toEqual([undefined, undefined]);
    expect(await small.get("b")).toBeDefined();
  });

  it.each<[unknown, RegExp]>([
    [{ maxEntries: 0 }, /maxEntries: expected an integer of 1 or more/],
    [{ maxCharacters: Infinity }, /maxCharacters: expected an integer of 1 or more, got Infinity/],
    [{ max: 1 }, /options: unknown key "max"/],
    [5, /options: expected an object, got 5/],
  ])("does not take %j", (options, message) => {
    expect(() => createLruCache(options as never)).toThrow(message);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEqualData } from "../contract/equal-data.js";
import { cacheKey } from "./cache-key.js";

const plain = fc.object({
  values: [fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
  maxDepth: 3,
});

describe("cacheKey", () => {
  it("is the same exactly for equal data", () => {
    fc.assert(
      fc.property(plain, plain, fc.string(), fc.string(), (a, b, one, other) => {
        expect(cacheKey(one, a)).toBe(cacheKey(one, structuredClone(a)));
        expect(cacheKey(one, a) === cacheKey(other, b)).toBe(one === other && isEqualData(a, b));
      }),
    );
  });

  it.each([
    ["C++", "C#"],
    ["a", "A"],
    ["a ", "a"],
    [1, "1"],
    [0, -0],
    [null, undefined],
    [undefined, "undefined"],
    [[], {}],
    [["a,b"], ["a", "b"]],
    [{ a: undefined }, {}],
    ["x".repeat(2_000), `${"x".repeat(1_999)}y`],
  ])("keeps %j and %j apart", (one, other) => {
    expect(cacheKey(one)).not.toBe(cacheKey(other));
    expect(cacheKey("q", one)).not.toBe(cacheKey("q", other));
  });

  it("does not take the order of keys for a difference, and stays short", () => {
    expect(cacheKey({ a: 1, b: 2 })).toBe(cacheKey({ b: 2, a: 1 }));
    expect(cacheKey("x".repeat(1_000_000))?.length).toBeLessThan(100);
  });

  it("gives nothing for what is not plain data, is cyclic, too large or cannot be read", () => {
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const hostile = {
      get a() {
        throw new Error("no");
      },
    };
    const values = [() => 1, Symbol("s"), new Map(), new Date(), cyclic, hostile, Array(20_000)];
    expect(values.map((value) => cacheKey("q", { value }))).toEqual(values.map(() => undefined));
  });
});

import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cacheKey, isSameData } from "./cache-key.js";

const plain = fc.object({
  values: [fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null)],
  maxDepth: 3,
});

describe("cacheKey", () => {
  it("is the same exactly for equal data", () => {
    fc.assert(
      fc.property(plain, plain, fc.string(), fc.string(), (a, b, one, other) => {
        expect(cacheKey(one, a)).toBe(cacheKey(one, structuredClone(a)));
        expect(cacheKey(one, a) === cacheKey(other, b)).toBe(
          one === other && isDeepStrictEqual(a, b),
        );
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

describe("isSameData", () => {
  it("compares plain data by content, and all else by identity", () => {
    const client = new (class Client {})();

    expect(isSameData({ a: [1, { b: "c" }], client }, { client, a: [1, { b: "c" }] })).toBe(true);
    expect(isSameData({ a: 0 }, { a: -0 })).toBe(false);
    expect(isSameData({ a: new Map() }, { a: new Map() })).toBe(false);
    expect(isSameData(isSameData, isSameData)).toBe(true);
    expect(isSameData(shared(40), shared(40))).toBe(true);
    expect(isSameData(shared(40), shared(39))).toBe(false);
  });

  it("takes what is too large, and what throws while it is read, as different", () => {
    const large = () => Array.from({ length: 20_000 }, (_, index) => index);
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    expect(isSameData(large(), large())).toBe(false);
    expect(isSameData({ a: proxy }, { a: proxy })).toBe(false);
  });
});

/** As few objects as levels, and as many paths through them as 2 to that power. */
function shared(levels: number): object {
  let value: object = { v: 1 };
  for (let level = 0; level < levels; level++) value = { a: value, b: value };
  return value;
}

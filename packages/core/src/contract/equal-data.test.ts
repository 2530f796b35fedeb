import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isEqualData } from "./equal-data.js";

/** Objects inside each other. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { n: value };
  return value;
}

/** As few objects as levels, and as many paths through them as 2 to that power. */
function shared(levels: number): object {
  let value: object = { v: 1 };
  for (let level = 0; level < levels; level++) value = { a: value, b: value };
  return value;
}

function cyclic(): object {
  const value: { self?: object } = {};
  value.self = value;
  return value;
}

describe("isEqualData", () => {
  it("agrees with Node.js on plain data", () => {
    const data = fc.anything({ withDate: true, maxDepth: 3 });
    fc.assert(
      fc.property(data, fc.clone(data, 2), (other, [a, b]) => {
        expect(isEqualData(a, b)).toBe(true);
        expect(isEqualData(a, other)).toBe(isDeepStrictEqual(a, other));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, {}],
    [[1, 2], [1]],
    [[], {}],
    [new Date(0), new Date(1)],
    [new Map([["a", 1]]), new Map([["a", 2]])],
    [new Set([1]), new Set([2])],
    [null, {}],
    [0, -0],
  ])("distinguishes different data: %#", (a, b) => {
    expect(isEqualData(a, b)).toBe(false);
  });

  it("takes equal sets, shared parts and cycles as equal", () => {
    expect(isEqualData(new Set([1, 2]), new Set([2, 1]))).toBe(true);
    expect(isEqualData(shared(40), shared(40))).toBe(true);
    expect(isEqualData(cyclic(), cyclic())).toBe(true);
    expect(isEqualData(nested(5_000), nested(5_000))).toBe(true);
  });

  it("takes what is too large to compare as different, in bounded time", () => {
    let reads = 0;
    const counting = () =>
      Array.from({ length: 100_000 }, () => ({
        get n() {
          return ++reads;
        },
      }));

    expect(isEqualData(nested(20_000), nested(20_000))).toBe(false);
    expect(isEqualData(counting(), counting())).toBe(false);
    expect(reads).toBeLessThan(100_000);
  });

  it("takes what throws while it is read as different", () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();

    expect(isEqualData({ a: proxy }, { a: {} })).toBe(false);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVectorIndex } from "./vector-index.js";

describe("createVectorIndex", () => {
  it("gives the nearest first", () => {
    const index = createVectorIndex(2);
    index.set("east", Float32Array.of(1, 0));
    index.set("north", Float32Array.of(0, 1));

    expect(index.nearest(Float32Array.of(0, 1), 1)).toEqual([{ id: "north", cosine: 1 }]);
    expect(index.nearest(Float32Array.of(0, 1), 5, (id) => id !== "north")).toHaveLength(1);
  });

  it("refuses a vector of another length", () => {
    expect(() => createVectorIndex(2).set("x", Float32Array.of(1))).toThrow(RangeError);
  });

  it("holds what a map would hold after any changes", () => {
    const change = fc.record({
      id: fc.constantFrom("a", "b", "c", "d"),
      value: fc.option(fc.integer({ min: 1, max: 9 })),
    });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
        const index = createVectorIndex(1);
        const map = new Map<string, number>();
        for (const { id, value } of changes) {
          if (value === null) expect(index.remove(id)).toBe(map.delete(id));
          else {
            index.set(id, Float32Array.of(value));
            map.set(id, value);
          }
        }

        expect(new Map(index.ids().map((id) => [id, index.get(id)?.[0]]))).toEqual(map);
      }),
    );
  });
});

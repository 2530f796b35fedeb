import { describe, expect, it } from "vitest";
import { fuse } from "./fuse.js";

describe("fuse", () => {
  it("puts first what several rankings have near their tops", () => {
    const fused = fuse([{ ids: ["a", "b", "c"] }, { ids: ["b", "d"] }]);

    expect(fused.map(({ id }) => id)).toEqual(["b", "a", "d", "c"]);
  });

  it("counts a ranking by its weight, and a double id once", () => {
    const fused = fuse([{ ids: ["a", "b"] }, { ids: ["b", "b", "a"], weight: 0.1 }]);

    expect(fused.map(({ id }) => id)).toEqual(["a", "b"]);
    expect(fused[1]?.score).toBeCloseTo(1 / 62 + 0.1 / 61, 12);
  });

  it("orders equal scores by id", () => {
    expect(fuse([{ ids: ["b"] }, { ids: ["a"] }]).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

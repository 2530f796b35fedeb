import type { HopRecord } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { foldHops } from "./fold-hops.js";

const hop = (id: number, parentId: number | undefined, outcome: HopRecord["outcome"] = "answer") =>
  ({ id, parentId, to: `l${id}`, outcome }) as HopRecord; // as far as it is read

describe("foldHops", () => {
  it("keeps failed hops with their parents, and fills up in order", () => {
    const hops = [
      hop(1, undefined, "delegate"),
      ...Array.from({ length: 98 }, (_, index) => hop(index + 2, 1)),
      hop(100, 50, "error"),
    ];

    const shown = foldHops(hops, 5);

    expect(shown.map(({ id }) => id)).toEqual([1, 2, 3, 50, 100]);
    expect(foldHops(hops, 100)).toBe(hops);
  });
});

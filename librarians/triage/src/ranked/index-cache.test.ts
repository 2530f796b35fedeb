import type { Delegate } from "@constellation/core";
import { createAnalyzer } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { createIndexCache } from "./index-cache.js";
import { createWordReader } from "./query-words.js";

/** A delegate that counts how often it is read, frozen as a router's are. */
function counted(id: string): { readonly delegate: Delegate; reads(): number } {
  let reads = 0;
  const delegate = Object.freeze({
    id,
    get description() {
      reads++;
      return `knows ${id}`;
    },
  });
  return { delegate, reads: () => reads };
}

describe("createIndexCache", () => {
  it("reads a delegate once, whatever array it comes in, and whichever others come and go", async () => {
    const all = ["tides", "moons", "stars", "winds"].map(counted);
    const [first, ...others] = all.map(({ delegate }) => delegate);
    const find = createIndexCache(createAnalyzer());

    const { index } = await find([...others], []);
    const again = await find([...others], []);
    await find(others.slice(1), []);
    await find([...others, ...(first === undefined ? [] : [first])], []);

    expect(again.index).toBe(index);
    expect(all.map(({ reads }) => reads())).toEqual([1, 1, 1, 1]);
  });

  it("serves a list that lacks a few with the index of the longer one, without those", async () => {
    const all = ["tides", "moons", "stars"].map((id) => counted(id).delegate);
    const analyzer = createAnalyzer();
    const find = createIndexCache(analyzer);
    const { index } = await find(all, []);

    const found = await find(all.slice(1), ["stars"]);
    const words = createWordReader(analyzer)("tides, moons and stars");
    const weighed = found.index.weigh(words, found.left);
    const best = found.index.find(weighed, 10, found.left);

    expect(found.index).toBe(index);
    expect(best.map(({ place }) => index.delegates[place]?.id)).toEqual(["moons"]);
  });

  it("ends when its signal aborts while it reads many", async () => {
    const many = Array.from({ length: 20_000 }, (_, n) =>
      Object.freeze({
        id: `d-${n}`,
        description: `knows word${n} and thing${n} of place${n % 97}`,
      }),
    );
    const controller = new AbortController();
    const found = createIndexCache(createAnalyzer())(many, [], controller.signal);

    controller.abort(new Error("enough"));

    await expect(found).rejects.toThrow("enough");
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { createLexicalIndex } from "./lexical-index.js";

const names = ["restart", "drain", "scale", "resize", "delete"];

function createIndex() {
  const index = createLexicalIndex({ fields: { text: { weight: 1 } } });
  index.add(
    Array.from({ length: 3_000 }, (_, at) => ({
      id: `d${at}`,
      fields: { text: `How to ${names[at % names.length]} the pod ${at % 97} of the queue` },
    })),
  );
  return index;
}

/** Makes each step of a search longer than a turn. */
function slowDown(): void {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10));
}

afterEach(() => vi.restoreAllMocks());

describe("searchInTurns", () => {
  it("lets the event loop continue, and finds what a search at once finds, also beside others", async () => {
    const index = createIndex();
    const queries = names.map((name, at) => `${name} the pod ${at}`);
    const expected = queries.map((query) => index.search(query));
    slowDown();
    let turns = 0;
    const count = () => {
      turns++;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);

    const found = await Promise.all(queries.map((query) => index.searchInTurns(query)));
    clearImmediate(timer);

    expect(found).toEqual(expected);
    expect(turns).toBeGreaterThan(5);
  });

  it("finds a document that was added meanwhile, and none that was removed", async () => {
    const index = createIndex();
    slowDown();
    const running = index.searchInTurns("drain the pod 1", { limit: 2 });
    index.remove("d1");
    index.add([{ id: "new", fields: { text: "drain the pod 1" } }]);

    const { hits } = await running;

    expect(hits[0]?.id).toBe("new");
    expect(hits).toEqual(index.search("drain the pod 1", { limit: 2 }).hits);
  });

  it("ends with the signal's reason", async () => {
    const index = createIndex();
    slowDown();
    const controller = new AbortController();
    const running = index.searchInTurns("drain", { signal: controller.signal });
    controller.abort(new Error("left"));

    await expect(running).rejects.toThrow("left");
  });
});

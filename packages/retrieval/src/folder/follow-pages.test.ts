import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changesBetween, followPages, type PageChanges } from "./follow-pages.js";
import type { PageEntry, PageSource } from "./page-source.js";

const entry = (file: string, modifiedMs = 1): PageEntry => ({ file, bytes: 1, modifiedMs });

describe("changesBetween", () => {
  it("reports new, changed and removed pages", () => {
    const before = [entry("a"), entry("b"), entry("c")];

    expect(changesBetween(before, [entry("a"), entry("b", 2), entry("d")])).toEqual({
      changed: ["b", "d"],
      removed: ["c"],
    });
  });
});

describe("followPages", () => {
  let pages: readonly PageEntry[] = [];
  let failing = false;
  const source: PageSource = {
    list: async () => {
      if (failing) throw new Error("gone");
      return { pages, omissions: [] };
    },
    read: async () => new Uint8Array(),
  };
  let stop: AbortController;
  beforeEach(() => {
    stop = new AbortController();
    pages = [entry("a")];
    failing = false;
  });
  afterEach(() => {
    stop.abort();
  });

  async function collect(count: number): Promise<readonly PageChanges[]> {
    const seen: PageChanges[] = [];
    for await (const changes of followPages(source, {
      signal: stop.signal,
      intervalMs: 5,
      since: pages,
    })) {
      seen.push(changes);
      if (seen.length === count) stop.abort();
    }
    return seen;
  }

  it("reports a change once, and ends with the signal", async () => {
    const seen = collect(1);
    pages = [entry("a", 2)];

    expect(await seen).toEqual([{ changed: ["a"], removed: [] }]);
  });

  it("continues after a look that failed", async () => {
    const list = vi.spyOn(source, "list");
    failing = true;
    const seen = collect(1);
    await vi.waitFor(() => expect(list.mock.calls.length).toBeGreaterThan(1), 20_000);
    failing = false;
    pages = [];

    expect(await seen).toEqual([{ changed: [], removed: ["a"] }]);
  });

  it("ends at once under a signal that has aborted", async () => {
    stop.abort();

    expect(await collect(1)).toEqual([]);
  });

  it("refuses an interval outside its range", async () => {
    const following = followPages(source, { signal: stop.signal, intervalMs: 0 });

    await expect(following.next()).rejects.toThrow(RangeError);
  });
});

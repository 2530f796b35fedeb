import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkMesh } from "./check-mesh.js";

function mesh(edges: Record<string, readonly string[] | undefined>) {
  return Object.entries(edges).map(([id, delegatesTo]) => ({ id, delegatesTo }));
}

function kinds(edges: Record<string, readonly string[] | undefined>, maxDepth = 5, entry?: string) {
  return checkMesh(mesh(edges), { maxDepth, entry }).problems.map(({ kind, ids }) => [
    kind,
    ...ids,
  ]);
}

describe("checkMesh", () => {
  it("finds nothing wrong with a tree", () => {
    expect(
      checkMesh(mesh({ a: ["b", "c"], b: [], c: [] }), { maxDepth: 2, entry: "a" }),
    ).toMatchObject({
      ok: true,
      problems: [],
    });
  });

  it("finds a cycle, once, with the way round", () => {
    expect(kinds({ a: ["b"], b: ["c"], c: ["a"], d: ["b"] })).toEqual([
      ["cycle", "a", "b", "c", "a"],
    ]);
  });

  it("finds a librarian that delegates to itself", () => {
    expect(kinds({ a: ["a"] })).toEqual([["cycle", "a", "a"]]);
  });

  it("finds a target that is not registered, and an entry that is not", () => {
    expect(kinds({ a: ["ghost"] }, 5, "nobody")).toEqual([
      ["unknown-target", "nobody"],
      ["unknown-target", "a", "ghost"],
    ]);
  });

  it("finds a chain longer than maxDepth, from the entry", () => {
    const chain = { a: ["b"], b: ["c"], c: ["d"], d: [] };

    expect(kinds(chain, 3, "a")).toEqual([["too-deep", "a", "b", "c", "d"]]);
    expect(kinds(chain, 4, "a")).toEqual([]);
  });

  it("finds a chain that is too long beside a cycle, or through one", () => {
    const beside = { a: ["b", "x"], b: ["c"], c: ["d"], d: [], x: ["y"], y: ["x"] };
    const through = { a: ["b"], b: ["c"], c: ["b", "d"], d: ["e"], e: [] };
    const cycleOnly = { a: ["b"], b: ["c"], c: ["d"], d: ["a"] };

    expect(kinds(beside, 3, "a")).toContainEqual(["too-deep", "a", "b", "c", "d"]);
    expect(kinds(through, 4, "a")).toContainEqual(["too-deep", "a", "b", "c", "d", "e"]);
    expect(kinds(cycleOnly, 3, "a")).toContainEqual(["too-deep", "a", "b", "c", "d"]);
    for (const edges of [beside, through, cycleOnly]) {
      expect(kinds(edges, 5, "a").map(([kind]) => kind)).toEqual(["cycle"]);
    }
  });

  it("finds a chain longer than maxDepth exactly when there is one", () => {
    const graph = fc.array(fc.array(fc.nat({ max: 6 }), { maxLength: 3 }), {
      minLength: 7,
      maxLength: 7,
    });
    fc.assert(
      fc.property(graph, fc.integer({ min: 1, max: 7 }), (edges, maxDepth) => {
        const librarians = edges.map((targets, index) => ({
          id: `l${index}`,
          delegatesTo: targets.map((target) => `l${target}`),
        }));
        const { problems } = checkMesh(librarians, { maxDepth, entry: "l0" });
        const found = problems.find(({ kind }) => kind === "too-deep");

        expect(found !== undefined).toBe(longestFrom(edges, 0, new Set()) > maxDepth);
        if (found !== undefined) expect(new Set(found.ids).size).toBe(found.ids.length);
      }),
    );
  });

  it("checks 300 librarians that may all delegate to each other, in bounded time", () => {
    const ids = Array.from({ length: 300 }, (_, index) => `l${index}`);
    const librarians = ids.map((id) => ({ id, delegatesTo: ids.filter((each) => each !== id) }));

    const { problems } = checkMesh(librarians, { maxDepth: 5, entry: "l0" });

    expect(problems.map(({ kind }) => kind)).toEqual(["cycle", "too-deep"]);
  });

  it("finds a librarian that declares more delegates than maxFanout", () => {
    const librarians = mesh({ a: ["b", "c", "d"], b: [], c: [], d: [] });

    expect(checkMesh(librarians, { maxDepth: 5, maxFanout: 2 }).problems).toMatchObject([
      { kind: "too-wide", ids: ["a"] },
    ]);
    expect(checkMesh(librarians, { maxDepth: 5, maxFanout: 3 }).ok).toBe(true);
  });

  it("finds librarians that cannot be reached from the entry", () => {
    expect(kinds({ a: ["b"], b: [], c: ["b"] }, 5, "a")).toEqual([["unreachable", "c"]]);
  });

  it("takes one that declares nothing for one that reaches all and proves no cycle", () => {
    expect(kinds({ a: undefined, b: ["a"], c: [] }, 5, "a")).toEqual([]);
  });

  it("draws the declared delegations, with problems marked", () => {
    const { toMermaid } = checkMesh(mesh({ a: ["b"], b: ["a"] }), { maxDepth: 5 });

    expect(toMermaid()).toBe(
      [
        "flowchart TD",
        '  n0["a"]',
        '  n1["b"]',
        "  n0 --> n1",
        "  n1 --> n0",
        "  classDef problem stroke:#c00,color:#c00",
        "  class n0,n1 problem",
      ].join("\n"),
    );
  });

  it("checks a chain of 40,000 without running out of stack", () => {
    const librarians = Array.from({ length: 40_000 }, (_, index) => ({
      id: `l${index}`,
      delegatesTo: index < 39_999 ? [`l${index + 1}`] : [],
    }));

    const { problems } = checkMesh(librarians, { maxDepth: 5, entry: "l0" });

    expect(problems.map(({ kind }) => kind)).toEqual(["too-deep"]);
  });

  it("finds a cycle in a graph exactly when there is one", () => {
    const graph = fc.array(fc.array(fc.nat({ max: 7 }), { maxLength: 3 }), {
      minLength: 8,
      maxLength: 8,
    });
    fc.assert(
      fc.property(graph, (edges) => {
        const librarians = edges.map((targets, index) => ({
          id: `l${index}`,
          delegatesTo: targets.map((target) => `l${target}`),
        }));
        const { problems } = checkMesh(librarians, { maxDepth: 100 });
        const found = problems.filter(({ kind }) => kind === "cycle");

        expect(found.length > 0).toBe(hasCycle(edges));
        for (const { ids } of found) {
          expect(ids[0]).toBe(ids.at(-1));
          for (const [place, id] of ids.slice(0, -1).entries()) {
            expect(librarians.find((each) => each.id === id)?.delegatesTo).toContain(
              ids[place + 1],
            );
          }
        }
      }),
    );
  });
});

/** Length of the longest chain from a librarian, none twice. */
function longestFrom(
  edges: readonly (readonly number[])[],
  from: number,
  above: ReadonlySet<number>,
): number {
  const path = new Set([...above, from]);
  const below = (edges[from] ?? []).filter((target) => !path.has(target));
  return 1 + Math.max(0, ...below.map((target) => longestFrom(edges, target, path)));
}

/** Removes librarians without a delegate that is left, until none can be removed. */
function hasCycle(edges: readonly (readonly number[])[]): boolean {
  const left = new Set(edges.keys());
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const node of left) {
      if (!(edges[node] ?? []).some((target) => left.has(target))) left.delete(node);
    }
  }
  return left.size > 0;
}

import { createRouter, type Router, type RouterOptions } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers } from "./mesh.js";

/** A router whose librarians declare who they delegate to. */
function declared(
  graph: Readonly<Record<string, readonly string[] | undefined>>,
  options: RouterOptions = {},
): Router {
  const router = createRouter(options);
  for (const [id, delegatesTo] of Object.entries(graph)) {
    router.register({ id, description: id, librarian: answers(id), delegatesTo });
  }
  return router;
}

/** `kind: ids`, for each problem. */
function problemsOf(router: Router): readonly string[] {
  return router.check().problems.map(({ kind, ids }) => `${kind}: ${ids.join(" ")}`);
}

describe("rule 11, router.check", () => {
  it("finds nothing wrong with a good mesh, nor with an empty one", () => {
    const good = declared({ a: ["b", "c"], b: ["c"], c: [] }, { entry: "a" });

    expect(good.check()).toMatchObject({ ok: true, problems: [] });
    expect(createRouter().check()).toMatchObject({ ok: true, problems: [] });
  });

  it("finds a cycle, with its path", () => {
    expect(problemsOf(declared({ a: ["b"], b: ["c"], c: ["a"] }))).toEqual(["cycle: a b c a"]);
  });

  it("finds a librarian that declares itself", () => {
    expect(problemsOf(declared({ a: ["a"] }))).toEqual(["cycle: a a"]);
  });

  it("finds each of two cycles", () => {
    const problems = problemsOf(declared({ a: ["b"], b: ["a"], c: ["d"], d: ["c"] }));

    expect(problems.map((each) => each.split(":")[0])).toEqual(["cycle", "cycle"]);
  });

  it("takes a diamond for no cycle", () => {
    expect(problemsOf(declared({ a: ["b", "c"], b: ["d"], c: ["d"], d: [] }))).toEqual([]);
  });

  it("finds targets that are not registered, and an entry that is not", () => {
    expect(problemsOf(declared({ a: ["nobody"] }))).toEqual(["unknown-target: a nobody"]);
    expect(problemsOf(declared({ a: [] }, { entry: "nobody" }))).toContain(
      "unknown-target: nobody",
    );
  });

  it("finds chains that are longer than maxDepth, with their path", () => {
    const chain = { a: ["b"], b: ["c"], c: ["d"], d: ["e"], e: ["f"], f: [] };

    expect(problemsOf(declared(chain))).toEqual(["too-deep: a b c d e f"]);
    expect(problemsOf(declared(chain, { maxDepth: 6 }))).toEqual([]);
    expect(problemsOf(declared({ a: ["b"], b: ["c"], c: [] }, { maxDepth: 2 }))).toEqual([
      "too-deep: a b c",
    ]);
  });

  it("finds librarians that cannot be reached from the entry", () => {
    expect(problemsOf(declared({ a: ["b"], b: [], c: ["d"], d: [] }, { entry: "a" }))).toEqual([
      "unreachable: c",
      "unreachable: d",
    ]);
  });

  it("counts one that declares nothing as able to reach all", () => {
    expect(problemsOf(declared({ a: undefined, b: [], c: [] }, { entry: "a" }))).toEqual([]);
  });

  it("names for each problem what is wrong and what to do, and draws the mesh", () => {
    const { ok, problems, toMermaid } = declared({ a: ["b", "nobody"], b: ["a"] }).check();

    expect(ok).toBe(false);
    for (const { ids, message } of problems) {
      for (const id of ids) expect(message).toContain(id);
    }
    expect(toMermaid()).toMatch(/^flowchart/);
    for (const id of ["a", "b", "nobody"]) expect(toMermaid()).toContain(`["${id}"]`);
  });

  it("calls no librarian", () => {
    const router = createRouter();
    let calls = 0;
    router.register({
      id: "a",
      description: "a",
      librarian: async () => ({ answer: `${++calls}` }),
      start: async () => void calls++,
    });

    router.check();

    expect(calls).toBe(0);
  });

  it("goes deep without running out of stack", () => {
    const graph: Record<string, readonly string[]> = {};
    for (let index = 0; index < 20_000; index++) graph[`n${index}`] = [`n${index + 1}`];
    graph.n20000 = ["n0"];

    const [problem] = declared(graph).check().problems;

    expect(problem?.kind).toBe("cycle");
    expect(problem?.ids).toHaveLength(20_002);
  });

  it("agrees with a query: what it calls a cycle ends with LOOP_DETECTED", async () => {
    const router = createRouter({ entry: "a" });
    for (const [id, to] of [
      ["a", "b"],
      ["b", "a"],
    ] as const) {
      router.register({
        id,
        description: id,
        librarian: async () => ({ delegate: { to } }),
        delegatesTo: [to],
      });
    }

    expect(problemsOf(router)).toEqual(["cycle: a b a"]);
    expect((await router.ask("q")).error?.code).toBe("LOOP_DETECTED");
  });
});

import { createRouter, type Delegate, type MeshLibrarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, meshOf, type Part, passesTo, watched } from "./mesh.js";

/** Ids of the delegates a librarian sees. */
async function seenBy(
  id: string,
  parts: Readonly<Record<string, Part>>,
  options?: Parameters<typeof meshOf>[1],
): Promise<readonly string[]> {
  let seen: readonly Delegate[] | undefined;
  const part = parts[id];
  const inner = typeof part === "function" ? part : part?.librarian;
  const looking: MeshLibrarian = (query, context) => {
    seen = context?.availableDelegates;
    return inner?.(query, context) ?? Promise.reject(new Error(`${id} was not found.`));
  };
  const replaced = typeof part === "function" ? looking : { ...part, librarian: looking };
  await meshOf({ ...parts, [id]: replaced }, options).ask("q");
  return seen?.map((each) => each.id) ?? ["nothing"];
}

describe("availableDelegates", () => {
  const abc = { a: passesTo("b"), b: passesTo("c"), c: answers("C"), d: answers("D") };

  it("are all others, and none on the path", async () => {
    expect(await seenBy("a", abc)).toEqual(["b", "c", "d"]);
    expect(await seenBy("b", abc)).toEqual(["c", "d"]);
    expect(await seenBy("c", abc)).toEqual(["d"]);
  });

  it("are those that delegatesTo names, where it is given", async () => {
    expect(
      await seenBy("a", { ...abc, a: { librarian: passesTo("b"), delegatesTo: ["d", "b", "x"] } }),
    ).toEqual(["b", "d"]);
    expect(
      await seenBy("a", { a: { librarian: answers("A"), delegatesTo: [] }, b: answers("B") }),
    ).toEqual([]);
  });

  it("are none at the depth limit", async () => {
    expect(await seenBy("b", abc, { maxDepth: 3 })).toEqual(["c", "d"]);
    expect(await seenBy("c", abc, { maxDepth: 3 })).toEqual([]);
  });

  it("are those that a delegation reaches, and no others", async () => {
    for (const delegatesTo of [undefined, ["b"], ["c"]]) {
      const parts = {
        a: { librarian: passesTo("b"), delegatesTo },
        b: answers("B"),
        c: answers("C"),
      };
      const seen = await seenBy("a", parts);
      const { answer } = await meshOf(parts).ask("q");

      expect(answer === "B").toBe(seen.includes("b"));
    }
  });

  it("are who is registered at that moment", async () => {
    const router = createRouter({ entry: "a" });
    const seen: (readonly string[] | undefined)[] = [];
    router.register({
      id: "a",
      description: "looks around",
      librarian: async (_query, context) => {
        seen.push(context?.availableDelegates?.map(({ id }) => id));
        router.register({ id: "b", description: "new", librarian: answers("B") });
        seen.push(context?.availableDelegates?.map(({ id }) => id));
        return { delegate: { to: "b" } };
      },
    });

    const response = await router.ask("q");

    expect(seen).toEqual([[], ["b"]]);
    expect(response.answer).toBe("B");
  });
});

describe("delegationChain", () => {
  it("is a copy for reading: changing it changes nothing else", async () => {
    const a = watched(passesTo("b"));
    const forging: MeshLibrarian = async (_query, context) => {
      (context?.delegationChain as string[]).length = 0;
      return { delegate: { to: "a" } };
    };

    const response = await meshOf({ a: a.librarian, b: forging }).ask("q");

    expect(response.error).toMatchObject({
      code: "LOOP_DETECTED",
      details: { path: ["a", "b", "a"] },
    });
    expect(a.queries).toHaveLength(1);
  });
});

describe("a context", () => {
  it("keeps the seed's fields, and all others, when it is spread", async () => {
    const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
    const { librarian, contexts } = watched(answers("ok"));

    await meshOf({ librarian, b: answers("B") }).ask("q", {
      user: { id: "u1" },
      trace,
      metadata: { a: 1 },
    });

    expect(contexts[0]).toMatchObject({
      librarian: { id: "librarian" },
      user: { id: "u1" },
      trace,
      delegationChain: [],
      availableDelegates: [{ id: "b" }],
      metadata: { a: 1 },
      signal: expect.any(AbortSignal),
      deadline: expect.any(Number),
      remainingMs: expect.any(Function),
      requestId: expect.any(String),
      originalQuery: "q",
      depth: 0,
      ask: expect.any(Function),
      report: expect.any(Function),
    });
    expect(Object.keys(contexts[0] ?? {})).toContain("ai");
  });

  it("is a new one for every hop", async () => {
    const seen: unknown[] = [];
    const a: MeshLibrarian = async (_query, context) => {
      seen.push(context);
      return { delegate: { to: "b" } };
    };
    const b: MeshLibrarian = async (_query, context) => {
      seen.push(context);
      return { answer: "B" };
    };

    await meshOf({ a, b }).ask("q");

    expect(seen[0]).not.toBe(seen[1]);
    expect(seen).toMatchObject([
      { depth: 0, librarian: { id: "a" } },
      { depth: 1, librarian: { id: "b" } },
    ]);
  });

  it("works when its functions are taken out of it", async () => {
    const a: MeshLibrarian = async (query, { ask, report, remainingMs }) => {
      report?.("asking");
      const response = await ask?.(query, { to: "b" });
      return { answer: `${response?.answer} with ${(remainingMs?.() ?? 0) > 0}` };
    };

    expect((await meshOf({ a, b: answers("B") }).ask("q")).answer).toBe("B with true");
  });

  it("gives every librarian the query as the caller asked it", async () => {
    const b = watched(answers("B"));
    const a: MeshLibrarian = async () => ({ delegate: { to: "b", query: "refined" } });

    await meshOf({ a, b: b.librarian }).ask("original");

    expect(b.contexts[0]?.originalQuery).toBe("original");
  });
});

describe("delegatesTo", () => {
  it("is enforced: UNAUTHORIZED, not-allowed, and the other is not called", async () => {
    const b = watched(answers("B"));

    const response = await meshOf({
      a: { librarian: passesTo("b"), delegatesTo: ["c"] },
      b: b.librarian,
      c: answers("C"),
    }).ask("q");

    expect(response.error).toMatchObject({
      code: "UNAUTHORIZED",
      details: { reason: "not-allowed" },
    });
    expect(b.queries).toEqual([]);
  });
});

describe("a router's entry", () => {
  it("is asked where none is named; without one, the only librarian there is", async () => {
    const router = createRouter();
    router.register({ id: "a", description: "alone", librarian: answers("A") });

    expect((await router.ask("q")).answer).toBe("A");
    expect(
      (await meshOf({ a: answers("A"), b: answers("B") }, { entry: "b" }).ask("q")).answer,
    ).toBe("B");
  });
});

describe("find", () => {
  it("finds by capability, and by what is above it, not below", () => {
    const router = meshOf({
      facts: { librarian: answers("F"), capabilities: ["kubernetes.facts"] },
      all: { librarian: answers("A"), capabilities: ["kubernetes", "docs"] },
      other: { librarian: answers("O"), capabilities: ["kubernetesque"] },
    });
    const idsOf = (capability: string) => router.find(capability).map(({ id }) => id);

    expect(idsOf("kubernetes")).toEqual(["facts", "all"]);
    expect(idsOf("kubernetes.facts")).toEqual(["facts"]);
    expect(idsOf("facts")).toEqual([]);
    expect(idsOf("constructor")).toEqual([]);
    router.unregister("facts");
    expect(idsOf("kubernetes.facts")).toEqual([]);
  });

  it("and list return information that cannot be changed", () => {
    const router = meshOf({ a: { librarian: answers("A"), capabilities: ["docs"] } });
    const [info] = router.list();

    expect(() => Object.assign(info ?? {}, { id: "b" })).toThrow(TypeError);
    expect(Object.isFrozen(info?.capabilities)).toBe(true);
    expect(() => (router.list() as unknown[]).push({})).toThrow(TypeError);
    expect(info).not.toHaveProperty("librarian");
  });
});

describe("40,000 librarians", () => {
  it("are registered, listed, found, offered, asked and taken out", async () => {
    const count = 40_000;
    const router = createRouter({ entry: "n0" });
    let offered = 0;
    for (let index = 0; index < count; index++) {
      router.register({
        id: `n${index}`,
        description: `number ${index}`,
        capabilities: [`shard.s${index % 100}`],
        librarian:
          index === 0
            ? async (_query, context) => {
                offered = context?.availableDelegates?.length ?? 0;
                return { delegate: [{ to: "n20000" }, { to: `n${count - 1}` }] };
              }
            : answers(`I am ${index}.`),
      });
    }

    const response = await router.ask("who?");

    expect(offered).toBe(count - 1);
    expect(response.answer).toMatch(/I am 20000\.[\s\S]*I am 39999\./);
    expect(router.list()).toHaveLength(count);
    expect(router.find("shard")).toHaveLength(count);
    expect(router.find("shard.s7")).toHaveLength(count / 100);
    expect(router.unregister("n20000")).toBe(true);
    expect((await router.ask("who?")).metadata?.missing).toMatchObject([{ to: "n20000" }]);
    expect(router.check().ok).toBe(true);
  });
});

import { contextSchema } from "@constellation/authoring/schemas";
import type { AIClient, Context, MeshLibrarian } from "@constellation/core";
import { afterEach, describe, expect, expectTypeOf, it, vi } from "vitest";
import { answers, meshOf, passesTo, scriptedAi, watched } from "./mesh.js";

const trace = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };

afterEach(() => {
  vi.useRealTimers();
});

describe("Context", () => {
  it("CORE-010 has no required field: {} is one", () => {
    const empty: Context = {};

    expectTypeOf<Record<never, never>>().toExtend<Context>();
    expect(contextSchema.safeParse(empty).success).toBe(true);
  });

  it("CORE-010 of the router passes the schema too, with every field set", async () => {
    const { librarian, contexts } = watched(answers("ok"));

    await meshOf({ librarian }).ask("q", {
      user: { id: "u1" },
      trace,
      ai: scriptedAi("ok"),
      metadata: { a: 1 },
    });

    expect(contextSchema.safeParse(contexts[0])).toMatchObject({ success: true });
    const askedInNone = { ...contexts[0], thread: "none" };
    expect(Object.values(askedInNone)).not.toContain(undefined);
  });

  it("CORE-010 with a field of the wrong type does not pass the schema", () => {
    const wrong: readonly unknown[] = [
      null,
      "context",
      { user: {} },
      { trace: { traceId: "1" } },
      { delegationChain: "a" },
      { ai: {} },
      { availableDelegates: [{}] },
      { metadata: 1 },
      { signal: {} },
      { deadline: "soon" },
      { depth: -1 },
      { ask: true },
    ];

    expect(wrong.filter((each) => contextSchema.safeParse(each).success)).toEqual([]);
  });
});

describe("what a librarian reads in its context", () => {
  it("CORE-011 is its own LibrarianInfo, on every hop", async () => {
    const a = watched(passesTo("b"));
    const b = watched(answers("ok"));
    const router = meshOf({
      a: { librarian: a.librarian, name: "Desk", team: "front", capabilities: ["triage"] },
      b: { librarian: b.librarian, examples: ["why?"], delegatesTo: [], effects: "write" },
    });

    await router.ask("q");

    expect(a.contexts[0]?.librarian).toEqual({
      id: "a",
      description: "Is asked as a.",
      name: "Desk",
      team: "front",
      capabilities: ["triage"],
    });
    expect(b.contexts[0]?.librarian).toEqual({
      id: "b",
      description: "Is asked as b.",
      examples: ["why?"],
      delegatesTo: [],
      effects: "write",
    });
  });

  it("CORE-012 is who is asking, and the caller's data", async () => {
    const { librarian, contexts } = watched(answers("ok"));

    await meshOf({ librarian }).ask("q", {
      user: { id: "u1" },
      metadata: { a: { b: [2] } },
    });

    expect(contexts[0]).toMatchObject({ user: { id: "u1" }, metadata: { a: { b: [2] } } });
  });

  it("CORE-014 is the ids called before it on its path, oldest first", async () => {
    const a = watched(passesTo("b"));
    const c = watched(answers("ok"));

    await meshOf({ a: a.librarian, b: passesTo("c"), c: c.librarian }).ask("q");

    expect(a.contexts[0]?.delegationChain).toEqual([]);
    expect(c.contexts[0]?.delegationChain).toEqual(["a", "b"]);
  });

  it("CORE-014 is a path: siblings are not in it", async () => {
    const b = watched(answers("ok"));
    const c = watched(answers("ok"));

    await meshOf({ a: passesTo("b", "c"), b: b.librarian, c: c.librarian }).ask("q");

    expect(b.contexts[0]?.delegationChain).toEqual(["a"]);
    expect(c.contexts[0]?.delegationChain).toEqual(["a"]);
  });

  describe("and the only way to a model", () => {
    const thinking: MeshLibrarian = async (query, context) => {
      const completion = await context?.ai?.complete({ prompt: query });
      return { answer: completion?.text ?? "without a model" };
    };

    it("CORE-015 is ai: a scripted one is played", async () => {
      const ai = scriptedAi("the model's words");

      const response = await meshOf({ thinking }).ask("q", { ai });

      expect(response.answer).toBe("the model's words");
      expect(ai.requests).toMatchObject([{ prompt: "q" }]);
    });

    it("CORE-015 is the ai of ask before that of the router", async () => {
      const ofRouter = scriptedAi("router's");
      const ofAsk = scriptedAi("ask's");
      const router = meshOf({ thinking }, { ai: ofRouter });

      expect((await router.ask("q")).answer).toBe("router's");
      expect((await router.ask("q", { ai: ofAsk })).answer).toBe("ask's");
      expect(ofRouter.requests).toHaveLength(1);
    });

    it("CORE-015 is absent where no one gives one", async () => {
      const { librarian, contexts } = watched(thinking);

      const response = await meshOf({ librarian }).ask("q");

      expect(response.answer).toBe("without a model");
      expect(contexts[0]?.ai).toBeUndefined();
      expectTypeOf<Context["ai"]>().toEqualTypeOf<AIClient | undefined>();
    });
  });

  it("CORE-016 is those it may delegate to, found by id", async () => {
    const { librarian, contexts } = watched(answers("ok"));

    await meshOf({
      first: librarian,
      second: { librarian: answers("ok"), capabilities: ["kubernetes.facts"] },
    }).ask("q");

    const { availableDelegates } = contexts[0] ?? {};
    expect(availableDelegates?.find(({ id }) => id === "second")).toEqual({
      id: "second",
      description: "Is asked as second.",
      capabilities: ["kubernetes.facts"],
    });
  });

  it("CORE-017 is a deadline no later than its query's, and a signal", async () => {
    vi.useFakeTimers();
    const b = watched(answers("ok"));
    const t = Date.now() + 1_000;
    const router = meshOf({
      a: passesTo("b"),
      b: { librarian: b.librarian, timeoutMs: 60_000 }, // it asks for more
    });

    await router.ask("q", { timeoutMs: 1_000 });

    expect(b.contexts[0]?.deadline).toBeLessThanOrEqual(t);
    expect(b.contexts[0]?.deadline).toBeGreaterThan(Date.now());
    expect(b.contexts[0]?.signal).toBeInstanceOf(AbortSignal);
  });

  it("CORE-017 is a deadline for context.ask too, however much time it asks for", async () => {
    vi.useFakeTimers();
    const b = watched(answers("ok"));
    const asking: MeshLibrarian = async (query, context) =>
      await context.ask(query, { to: "b", timeoutMs: 60_000 });

    await meshOf({ asking, b: b.librarian }).ask("q", { timeoutMs: 1_000 });

    expect(b.contexts[0]?.deadline).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it("CORE-019 is the caller's user, trace, ai and metadata, for a delegate too", async () => {
    const b = watched(async (_query, { ai: own }) => {
      await own?.complete({ prompt: "is it the same?" });
      return { answer: "ok" };
    });
    const user = { id: "u1", roles: ["sre"] };
    const ai = scriptedAi("ok");

    await meshOf({ a: passesTo("b"), b: b.librarian }).ask("q", {
      user,
      trace,
      ai,
      metadata: { ticket: 7 },
    });

    expect(b.contexts[0]).toMatchObject({ user, trace, metadata: { ticket: 7 } });
    expect(ai.requests).toMatchObject([{ prompt: "is it the same?" }]);
  });

  it("CORE-021 CORE-039 is what a librarian before it added in delegate.context", async () => {
    const a = watched(async () => ({ delegate: { to: "b", context: { y: 2, reason: "r" } } }));
    const b = watched(answers("ok"));

    await meshOf({ a: a.librarian, b: b.librarian }).ask("q", { metadata: { x: 1 } });

    expect(b.contexts[0]?.metadata).toEqual({ x: 1, y: 2, reason: "r" });
    expect(a.contexts[0]?.metadata).toEqual({ x: 1 });
  });

  it("CORE-021 is the later value, where both say something under one key", async () => {
    const b = watched(answers("ok"));
    const a: MeshLibrarian = async () => ({ delegate: { to: "b", context: { x: "a's" } } });

    await meshOf({ a, b: b.librarian }).ask("q", { metadata: { x: "caller's", z: 3 } });

    expect(b.contexts[0]?.metadata).toEqual({ x: "a's", z: 3 });
  });
});

describe("the context as an object", () => {
  it("CORE-018 is never changed by the router, nor is what the caller gave", async () => {
    const given = deepFreeze({
      user: { id: "u1", teams: ["a"] },
      trace: { ...trace },
      metadata: { a: { b: [2] } },
    });
    const before = structuredClone(given);
    const response = deepFreeze({ delegate: [{ to: "b", context: { y: { z: 1 } } }, { to: "c" }] });
    const contexts: Context[] = [];
    const a: MeshLibrarian = async (_query, context) => {
      contexts.push(context, { ...context });
      return response;
    };

    const answer = await meshOf({ a, b: answers("B"), c: passesTo("d"), d: answers("D") }).ask(
      "q",
      given,
    );

    expect(answer.error).toBeUndefined();
    expect(given).toEqual(before);
    const [context, copy] = contexts;
    const methods = {
      ...{ ask: 0, probe: 0, report: 0, remainingMs: 0, openRemoteCall: 0, observed: 0 },
      ...{ step: 0, approve: 0, askUser: 0, waitFor: 0, withinBudget: 0 },
    };
    expect({ ...context, ...methods }).toEqual({ ...copy, ...methods });
  });

  it("CORE-018 cannot be changed by a librarian: a write throws", async () => {
    const thrown: unknown[] = [];
    const writing: MeshLibrarian = async (_query, context) => {
      const open = context as { user?: unknown; extra?: unknown; metadata: { a?: unknown } };
      const writes = [
        () => {
          open.user = { id: "root" };
        },
        () => {
          open.extra = 1;
        },
        () => {
          delete open.user;
        },
        () => {
          open.metadata.a = 2;
        },
        () => Object.defineProperty(open, "user", { value: { id: "root" } }),
        () => Object.setPrototypeOf(open, { user: { id: "root" } }),
      ];
      for (const write of writes) {
        try {
          write();
        } catch (error) {
          thrown.push(error);
        }
      }
      return { answer: `${context.user?.id} ${JSON.stringify(context.metadata)}` };
    };

    const response = await meshOf({ writing }).ask("q", {
      user: { id: "u1" },
      metadata: { a: 1 },
    });

    expect(thrown).toEqual(Array.from({ length: 6 }, () => expect.any(TypeError)));
    expect(response.answer).toBe('u1 {"a":1}');
  });
});

describe("availableDelegates of the seed's example", () => {
  const desk: MeshLibrarian = async (query, context) => {
    const expert = context?.availableDelegates?.find(({ id }) => id === "k8s-expert");
    if (expert === undefined) return { answer: "Nobody here knows Kubernetes.", confidence: 0.6 };
    const reason = "Complex Kubernetes query";
    return { delegate: { to: expert.id, query, context: { reason } } };
  };

  it("CORE-071 leads to the expert when it is there, with the reason", async () => {
    const expert = watched(answers("CrashLoopBackOff"));

    const response = await meshOf({ desk, "k8s-expert": expert.librarian }).ask("why?");

    expect(response.answer).toBe("CrashLoopBackOff");
    expect(expert.contexts[0]?.metadata).toEqual({ reason: "Complex Kubernetes query" });
  });

  it("CORE-071 leads to no one when it is not", async () => {
    const response = await meshOf({ desk, other: answers("x") }).ask("why?");

    expect(response).toEqual({ answer: "Nobody here knows Kubernetes.", confidence: 0.6 });
  });
});

function deepFreeze<T extends object>(value: T): T {
  for (const each of Object.values(value)) if (typeof each === "object") deepFreeze(each);
  return Object.freeze(value);
}

import { createLruCache } from "@constellation/authoring/cache";
import type { Context, Librarian, MeshLibrarian, Observation, Response } from "@constellation/core";
import { testContext } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { answers, meshOf, type Part } from "./mesh.js";

/** The facts under `deep`. */
function inDeep(metadata: Response["metadata"]): unknown {
  return Reflect.get(Object(metadata?.deep), "facts");
}

const facts = () => ({ facts: { pods: [{ name: "a" }] }, list: [{ n: 1 }, { n: 2 }] });

const cluster: Part = {
  capabilities: ["kubernetes.facts"],
  librarian: async () => ({ answer: "K", metadata: facts() }),
};

/** Keeps who observed what `pick` finds in a context. */
function reader(pick: (context: Context) => unknown) {
  const seen: (Observation | undefined)[] = [];
  const librarian: Librarian = async (_query, context = {}) => {
    seen.push(context.observed?.(pick(context)));
    return { answer: "read" };
  };
  return { seen, librarian };
}

const byCluster = { by: "librarian", librarian: "k8s", capabilities: ["kubernetes.facts"] };

describe("data that a librarian of the run returned", () => {
  it("counts as observed by it, for the one that asked", async () => {
    const seen: (Observation | undefined)[] = [];
    const asking: Librarian = async (query, context = {}) => {
      const before = Date.now();
      const { metadata } = (await context.ask?.(query, { to: "k8s" })) ?? {};
      const found = (value: unknown) => seen.push(context.observed?.(value));
      found(metadata?.facts);
      found(metadata?.list);
      found(Object(metadata?.list)[1]);
      expect(seen[0]?.at).toBeGreaterThanOrEqual(before);
      return { answer: "A" };
    };

    await meshOf({ asking, k8s: cluster }).ask("q");

    expect(seen).toMatchObject([byCluster, byCluster, byCluster]);
  });

  it("stays observed along delegate.context, context.ask and metadata that passes it on", async () => {
    const last = reader(({ metadata }) => metadata?.facts);
    const asking: Librarian = async (query, { ask } = {}) => {
      const { metadata } = (await ask?.(query, { to: "between" })) ?? {};
      return { delegate: { to: "through", context: { facts: metadata?.facts } } };
    };
    const between: MeshLibrarian = async (query, { ask }) => {
      const { metadata } = await ask(query, { to: "k8s" });
      return { answer: "B", metadata: { ...metadata, more: [1] } };
    };
    const through: MeshLibrarian = async (query, { ask, metadata }) =>
      ask(query, { to: "last", context: { facts: metadata.facts, x: 1 } });

    const parts = { asking, between, k8s: cluster, through, last: last.librarian };
    await meshOf(parts).ask("q");

    expect(last.seen).toMatchObject([byCluster]);
  });

  it("stays observed in what a fan-out merges, and in its branches", async () => {
    const seen: (Observation | undefined)[] = [];
    const asking: Librarian = async (query, context = {}) => {
      const { metadata } = (await context.ask?.(query, { to: "both" })) ?? {};
      seen.push(context.observed?.(metadata?.facts));
      seen.push(context.observed?.(metadata?.branches?.[1]?.response.metadata?.facts));
      return { answer: "A" };
    };
    const both: Librarian = async () => ({ delegate: [{ to: "other" }, { to: "k8s" }] });

    await meshOf({ asking, both, k8s: cluster, other: answers("O") }).ask("q");

    expect(seen).toMatchObject([byCluster, byCluster]);
  });

  it("is observed as well where a shared call or a cache gave it", async () => {
    const store = createLruCache({ maxEntries: 9 });
    const slow: Librarian = async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { answer: "K", metadata: facts() };
    };
    const seen: (Observation | undefined)[] = [];
    const asking: Librarian = async (query, context = {}) => {
      const { metadata } = (await context.ask?.(query, { to: "k8s" })) ?? {};
      seen.push(context.observed?.(metadata?.facts));
      return { answer: "A" };
    };
    const k8s = { ...cluster, librarian: slow, singleFlight: true, cache: { store } };
    const router = meshOf({ asking, k8s });

    await Promise.all([router.ask("q"), router.ask("q")]);
    await router.ask("q");

    expect(seen).toMatchObject([1, 2, 3].map(() => ({ by: "librarian", librarian: "k8s" })));
  });
});

describe("what is not observed", () => {
  const copies: Readonly<Record<string, (value: unknown) => unknown>> = {
    "a copy": (value) => ({ ...(value as object) }),
    "a deep copy": (value) => structuredClone(value),
    text: () => "facts",
    nothing: () => undefined,
  };

  it.each(Object.entries(copies))("%s of observed data", async (_what, copy) => {
    let seen: Observation | undefined = { by: "caller", at: 0 };
    const asking: Librarian = async (query, context = {}) => {
      const { metadata } = (await context.ask?.(query, { to: "k8s" })) ?? {};
      seen = context.observed?.(copy(metadata?.facts));
      return { answer: "A" };
    };

    await meshOf({ asking, k8s: cluster }).ask("q");

    expect(seen).toBeUndefined();
  });

  it("metadata of a caller, also when a librarian returns it as it is", async () => {
    const echo: Librarian = async (_query, { metadata } = {}) => ({
      answer: "E",
      metadata: { facts: metadata?.facts, again: inDeep(metadata) },
    });
    const seen: unknown[] = [];
    const asking: Librarian = async (query, context = {}) => {
      const { metadata } = (await context.ask?.(query, { to: "echo" })) ?? {};
      seen.push(context.observed?.(context.metadata?.facts), metadata?.facts);
      seen.push(context.observed?.(metadata?.facts), context.observed?.(metadata?.again));
      return { answer: "A" };
    };

    await meshOf({ asking, echo }).ask("q", { metadata: { ...facts(), deep: facts() } });

    expect(seen).toEqual([undefined, facts().facts, undefined, undefined]);
  });

  it("what another run observed, when a caller hands it in", async () => {
    const router = meshOf({ k8s: cluster, read: answers("R") });
    const { seen, librarian } = reader(({ metadata }) => metadata?.facts);
    router.register({ id: "reader", description: "reads", librarian });

    const { metadata = {} } = await router.ask("q");
    await router.ask("q", { to: "reader", metadata });

    expect(seen).toEqual([undefined]);
  });

  it("a list with an item that someone claims", async () => {
    const mixing: Librarian = async (_query, { metadata } = {}) => ({
      answer: "M",
      metadata: { list: [{ own: true }, metadata?.claim] },
    });
    const seen: (Observation | undefined)[] = [];
    const asking: Librarian = async (query, context = {}) => {
      const { metadata } = (await context.ask?.(query, { to: "mixing" })) ?? {};
      const list = metadata?.list as unknown[];
      seen.push(...[list, ...list].map((each) => context.observed?.(each)));
      return { answer: "A" };
    };

    await meshOf({ asking, mixing }).ask("q", { metadata: { claim: { a: 1 } } });

    expect(seen).toMatchObject([undefined, { librarian: "mixing" }, undefined]);
  });

  it("what is only in delegate.context", async () => {
    const { seen, librarian } = reader(({ metadata }) => metadata?.facts);
    const a: Librarian = async () => ({ delegate: { to: "b", context: facts() } });

    await meshOf({ a, b: librarian }).ask("q");

    expect(seen).toEqual([undefined]);
  });

  it("a claim that comes back from a cache", async () => {
    const store = createLruCache({ maxEntries: 9 });
    let calls = 0;
    const librarian: Librarian = async (_query, { metadata } = {}) => {
      calls++;
      return { answer: "E", metadata: { deep: { facts: metadata?.facts } } };
    };
    const echo = { librarian, cache: { store } };
    const seen: (Observation | undefined)[] = [];
    const asking: Librarian = async (query, context = {}) => {
      const { metadata } = (await context.ask?.(query, { to: "echo" })) ?? {};
      seen.push(context.observed?.(inDeep(metadata)));
      return { answer: "A" };
    };
    const router = meshOf({ asking, echo });

    await router.ask("q", { metadata: facts() });
    await router.ask("q", { metadata: facts() });

    expect(seen).toEqual([undefined, undefined]);
    expect(calls).toBe(2);
  });
});

describe("metadata of a caller that the application trusts", () => {
  it("counts as observed by the caller", async () => {
    const { seen, librarian } = reader(({ metadata }) => metadata?.facts);

    await meshOf({ a: librarian }).ask("q", { metadata: facts(), observed: true });

    expect(seen).toMatchObject([{ by: "caller", at: expect.any(Number) }]);
  });

  it("does not share a call or an answer with equal metadata that is claimed", async () => {
    const store = createLruCache({ maxEntries: 9 });
    const { seen, librarian } = reader(({ metadata }) => metadata?.facts);
    const router = meshOf({ a: { librarian, singleFlight: true, cache: { store } } });
    const ask = (observed: boolean) => router.ask("q", { metadata: facts(), observed });

    await Promise.all([ask(true), ask(false), ask(true)]);
    await ask(false);

    expect(seen).toMatchObject([{ by: "caller" }, undefined]);
  });

  it("is refused when it is neither true nor false", () => {
    const router = meshOf({ a: answers("A") });

    expect(() => router.ask("q", { observed: "yes" as never })).toThrow(
      'observed: expected true or false, got "yes".',
    );
  });
});

describe("data that was handed over", () => {
  it("cannot be changed by a sibling, nor by the one that handed it over", async () => {
    const mine = { tenant: { id: "good" } };
    const evil: Librarian = async (_query, { metadata } = {}) => {
      expect(() => Object.assign(metadata?.tenant as object, { id: "evil" })).toThrow(TypeError);
      mine.tenant.id = "changed by the caller";
      return { answer: "E" };
    };
    const good: Librarian = async (_query, { metadata } = {}) => {
      await Promise.resolve();
      return { answer: JSON.stringify(metadata?.tenant) };
    };
    const a: Librarian = async () => ({ delegate: [{ to: "evil" }, { to: "good" }] });

    const { answer } = await meshOf({ a, evil, good }).ask("q", { metadata: mine });

    expect(answer).toContain("good");
    expect(answer).not.toContain("changed");
  });

  it("does not change with the object that a librarian returned or asked with", async () => {
    const kept = { facts: { n: 1 } };
    const context = { in: { n: 1 } };
    const slow: Librarian = async (_query, { metadata } = {}) => {
      kept.facts.n = 2;
      context.in.n = 2;
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { answer: JSON.stringify(metadata) };
    };
    const k8s: Librarian = async () => ({ answer: "K", metadata: kept });
    const asking: MeshLibrarian = async (query, { ask }) => {
      const first = await ask(query, { to: "k8s" });
      const second = await ask(query, { to: "slow", context });
      return { answer: `${JSON.stringify(first.metadata)} ${second.answer}` };
    };

    const { answer } = await meshOf({ asking, k8s, slow }).ask("q");

    expect(answer).toBe('{"facts":{"n":1}} {"in":{"n":1}}');
  });
});

describe("a test context", () => {
  it("observes nothing by itself, what its answers give, and what the test says", async () => {
    const metadata = facts();
    const context = testContext({
      metadata,
      availableDelegates: [{ id: "k8s", capabilities: ["kubernetes.facts"] }],
      answers: { k8s: { answer: "K", metadata: facts() } },
    });
    const vouching = testContext({
      metadata,
      observed: (value) => (value === metadata.facts ? { by: "caller", at: 1 } : undefined),
    });

    const response = await context.ask("q", { to: "k8s" });

    expect(context.observed(metadata.facts)).toBeUndefined();
    expect(context.observed(response.metadata?.facts)).toMatchObject(byCluster);
    expect(vouching.observed(metadata.facts)).toEqual({ by: "caller", at: 1 });
  });
});

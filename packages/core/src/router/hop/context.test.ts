import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Context } from "../../contract/context.js";
import type { LibrarianDefinition } from "../../contract/definition.js";
import type { AskOptions } from "../ask-options.js";
import { createRouter } from "../create-router.js";
import type { RouterOptions } from "../run/router-options.js";

/** The context of the last librarian of a chain, while it is busy. */
async function inContext(
  look: (context: Context) => unknown,
  ask: AskOptions = {},
  options: RouterOptions = {},
  others: readonly LibrarianDefinition[] = [],
): Promise<unknown> {
  let seen: unknown;
  const router = createRouter(options);
  router.register({
    id: "desk",
    description: "delegates",
    librarian: async () => ({ delegate: { to: "last", context: { reason: "why not" } } }),
  });
  router.register({
    id: "last",
    description: "looks",
    librarian: async (_query, context) => {
      seen = look(context);
      return { answer: "ok" };
    },
  });
  for (const each of others) router.register(each);
  const { error } = await router.ask("q", { to: "desk", ...ask });
  if (error !== undefined) throw new Error(error.message);
  return seen;
}

describe("the context of a hop", () => {
  it("refuses every kind of write, and is the same afterwards", async () => {
    const attempts: ((context: Context) => unknown)[] = [
      (context) => Object.assign(context, { user: { id: "evil" } }),
      (context) => Object.defineProperty(context, "depth", { value: 0 }),
      (context) => Reflect.deleteProperty(context, "metadata"),
      (context) => Object.setPrototypeOf(context, null),
      (context) => Object.freeze(context),
      (context) => Object.assign(context, { anything: "new" }),
      (context) => Object.assign(context.metadata ?? {}, { x: 2 }),
    ];
    const result = await inContext(
      (context) => {
        const before = JSON.stringify(context);
        for (const attempt of attempts) expect(() => attempt(context)).toThrow(TypeError);
        return [before, JSON.stringify(context)];
      },
      { user: { id: "u1" }, metadata: { x: 1 } },
    );

    const [before, after] = result as [string, string];
    expect(after).toBe(before);
    expect(before).toContain('"u1"');
  });

  it("keeps every field when it is spread, and works from the copy", async () => {
    const copy = (await inContext((context) => ({ ...context }), {
      user: { id: "u1" },
      metadata: { x: 1 },
    })) as Context;

    expect(copy).toMatchObject({
      librarian: { id: "last" },
      user: { id: "u1" },
      delegationChain: ["desk"],
      metadata: { x: 1, reason: "why not" },
      originalQuery: "q",
      depth: 1,
    });
    expect(copy.signal).toBeInstanceOf(AbortSignal);
    expect(copy.remainingMs?.()).toBeGreaterThan(0);
  });

  it("answers `in`, keys and JSON as a plain object would", async () => {
    const [has, keys, json] = (await inContext((context) => [
      ["user" in context, "nonsense" in context],
      Object.keys(context),
      JSON.parse(JSON.stringify(context)) as object,
    ])) as [boolean[], string[], object];

    expect(has).toEqual([true, false]);
    expect(keys).toContain("availableDelegates");
    expect(json).toMatchObject({ depth: 1, originalQuery: "q" });
  });

  it("shows no model client and no inside of the router when it is printed", async () => {
    const printed = await inContext((context) => inspect(context), {
      ai: { key: "sk-secret", complete: fail, analyze: fail, runTools: fail } as never,
    });

    expect(printed).toContain("originalQuery: 'q'");
    expect(printed).not.toContain("sk-secret");
    expect(printed).not.toContain("registry");
  });

  it("offers those that may be asked: not itself, not its path, declared ones only, none at the limit", async () => {
    const extra: LibrarianDefinition = {
      id: "extra",
      description: "one more",
      librarian: async () => ({ answer: "x" }),
    };
    const ids = (context: Context) => context.availableDelegates?.map(({ id }) => id);

    expect(await inContext(ids, {}, {}, [extra])).toEqual(["extra"]);
    expect(await inContext(ids, {}, { maxDepth: 2 }, [extra])).toEqual([]);
    expect(await inContext(ids, {}, { loops: "work" }, [extra])).toEqual(["desk", "extra"]);
  });

  it("throws at once for a wrong option of ask, naming it and its value", async () => {
    await inContext((context) => {
      const ask = context.ask as (query: string, options: unknown) => unknown;
      expect(() => ask("q", undefined)).toThrow(/options: .*got undefined/);
      expect(() => ask("q", {})).toThrow(/to: .*got undefined/);
      expect(() => ask("q", { to: "extra", timeoutMs: 0 })).toThrow(RangeError);
      expect(() => ask("q", { to: "extra", nonsense: 1 })).toThrow(/unknown key "nonsense"/);
      return undefined;
    });
  });
});

function fail(): never {
  throw new Error("not called");
}

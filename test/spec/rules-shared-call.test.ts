import { createLruCache } from "@constellation/authoring/cache";
import type { AIClient, MeshLibrarian, Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, gate, meshOf, type Part, watched } from "./mesh.js";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

const user = { id: "u" };

/** A model that answers at once. */
const ai: AIClient = {
  complete: async () => ({
    text: "of the model",
    model: "m",
    stopReason: "end",
    usage: { inputTokens: 5, outputTokens: 5 },
  }),
  analyze: () => Promise.reject(new Error("not used")),
  runTools: () => Promise.reject(new Error("not used")),
};

/** A librarian that waits at a gate, then asks `b` or its model. */
function gated(how: "ask" | "ai") {
  const { opened, open } = gate();
  const inner = watched(async (query, context) => {
    await opened;
    if (how === "ai") {
      const text = await context.ai?.complete({ prompt: "p" }).then(
        (completion) => completion.text,
        (error: { code: string }) => error.code,
      );
      return { answer: text ?? "no model" };
    }
    const response = await context.ask(query, { to: "b" });
    return { answer: `a: ${response.answer ?? response.error?.message}`, confidence: 0.9 };
  });
  return { ...inner, open };
}

describe("a call that several runs share, when the first caller has left", () => {
  it.each(["cancelled", "out of time"])("asks others as before: it was %s", async (why) => {
    const a = gated("ask");
    const router = meshOf({ a: a.librarian, b: answers("B") }, { singleFlight: true });
    const first = router.start("q", { user, ...(why === "out of time" && { timeoutMs: 30 }) });
    const second = router.ask("q", { user });
    await wait(5);
    if (why === "cancelled") first.cancel();

    const left = await first.response;
    a.open();
    const response = await second;

    expect(left.error?.code).toBe("TIMEOUT");
    expect(response).toEqual({ answer: "a: B", confidence: 0.9 });
    expect(a.queries).toHaveLength(1);
  });

  it("has the time of the last one that waits", async () => {
    const { opened, open } = gate();
    const times: (number | undefined)[] = [];
    const a: MeshLibrarian = async (_query, { remainingMs, signal }) => {
      await opened;
      times.push(remainingMs());
      return { answer: `aborted: ${signal.aborted}` };
    };
    const router = meshOf({ a }, { singleFlight: true });
    const first = router.ask("q", { user, timeoutMs: 20 });
    const second = router.ask("q", { user, timeoutMs: 60_000 });
    await first;
    open();

    expect(await second).toEqual({ answer: "aborted: false" });
    expect(times[0]).toBeGreaterThan(30_000);
  });

  it.each(["router", "librarian"])(
    "keeps its place among those that the %s limits",
    async (where) => {
      const { opened, open } = gate();
      let busy = 0;
      let highest = 0;
      const a: Part = {
        librarian: async (query) => {
          highest = Math.max(highest, ++busy);
          await opened;
          busy--;
          return { answer: query };
        },
        ...(where === "librarian" && { concurrency: 1 }),
      };
      const limit = where === "router" ? { concurrency: 1 } : {};
      const router = meshOf({ a }, { singleFlight: true, ...limit });
      const responses: Promise<Response>[] = [];
      for (let index = 0; index < 6; index++) {
        const first = router.start(`q${index}`, { user });
        responses.push(router.ask(`q${index}`, { user }));
        await wait(2);
        first.cancel();
        await wait(2);
      }
      open();

      const answered = (await Promise.all(responses)).map(({ answer }) => answer);
      expect(answered).toEqual(["q0", "q1", "q2", "q3", "q4", "q5"]);
      expect(highest).toBe(1);
      expect(router.load()).toMatchObject({ active: 0, waiting: 0 });
    },
  );

  it("is stopped, with what it asked, when the last one leaves", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const b: MeshLibrarian = async (_query, { signal }) => {
      signals.push(signal);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      return { answer: "late" };
    };
    const a = gated("ask");
    const router = meshOf({ a: a.librarian, b }, { singleFlight: true, concurrency: 3 });
    const first = router.start("q", { user });
    const second = router.start("q", { user });
    await wait(5);
    first.cancel();
    a.open();
    await wait(5);
    expect(signals.map((signal) => signal?.aborted)).toEqual([false]);
    second.cancel();
    await Promise.all([second.response, first.settled, second.settled]);

    expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
    expect(router.load().active).toBe(0);
  });

  it("works so within one run too", async () => {
    const a = gated("ask");
    const x: MeshLibrarian = async (_query, { ask }) => {
      const { error } = await ask("q", { to: "a", timeoutMs: 400 });
      a.open();
      return { answer: `x: ${error?.code}` };
    };
    const y: MeshLibrarian = async (_query, { ask }) => {
      await wait(5);
      return ask("q", { to: "a" });
    };
    const root: MeshLibrarian = async () => ({ delegate: [{ to: "x" }, { to: "y" }] });

    const { answer, partial } = await meshOf({
      root,
      x,
      y,
      a: { librarian: a.librarian, concurrency: 1 },
      b: answers("B"),
    }).ask("q");

    expect(answer).toBe("## x\n\nx: TIMEOUT\n\n## y\n\na: B");
    expect(partial).toBeUndefined();
    expect(a.queries).toHaveLength(1);
  });
});

describe("calls that may not use the same are not shared", () => {
  it("with another budget: each has the abilities of its own run", async () => {
    const a = gated("ai");
    const router = meshOf({ a: a.librarian }, { singleFlight: true, ai });
    const none = router.ask("q", { user, budget: { tokens: 0 } });
    const much = router.ask("q", { user, budget: { tokens: 100_000 } });
    const same = router.ask("q", { user, budget: { tokens: 100_000 } });
    a.open();

    expect((await Promise.all([none, much, same])).map(({ answer }) => answer)).toEqual([
      "AI_UNAVAILABLE",
      "of the model",
      "of the model",
    ]);
    expect(a.queries).toHaveLength(2);
  });

  it("with another model", async () => {
    const a = gated("ai");
    const other: AIClient = {
      ...ai,
      complete: async (request) => ({ ...(await ai.complete(request)), text: "of another" }),
    };
    const router = meshOf({ a: a.librarian }, { singleFlight: true, ai });
    const responses = [router.ask("q", { user }), router.ask("q", { user, ai: other })];
    a.open();

    expect((await Promise.all(responses)).map(({ answer }) => answer)).toEqual([
      "of the model",
      "of another",
    ]);
  });

  it.each(["cache", "one flight"])(
    "with another user above it, whose role a rule refuses: %s",
    async (how) => {
      const narrowing: MeshLibrarian = async () => ({ delegate: { to: "a", user: { roles: [] } } });
      const a: MeshLibrarian = async (query, { ask }) => ask(query, { to: "b" });
      const b: Part = {
        librarian: answers("data of b"),
        allow: (each) =>
          each !== undefined && Array.isArray(each.roles) && !each.roles.includes("contractor"),
      };
      const policy =
        how === "cache"
          ? { cache: { store: createLruCache({ maxEntries: 10 }) } }
          : { singleFlight: true };
      const router = meshOf({ narrowing, a: { librarian: a, ...policy }, b });
      const bob = (roles: readonly string[]) => ({ user: { id: "bob", roles } });

      const allowed = router.ask("q", { to: "a", ...bob([]) });
      if (how === "cache") await allowed;
      const refused = router.ask("q", { to: "narrowing", ...bob(["contractor"]) });

      expect((await allowed).answer).toBe("data of b");
      expect((await refused).error?.code).toBe("UNAUTHORIZED");
    },
  );
});

import type {
  AIClient,
  AICompletion,
  Librarian,
  Response,
  RouterOptions,
} from "@constellation/core";
import { expect, it } from "vitest";
import { type SuiteMesh, untilPresent } from "./suite-mesh.js";

/** Hops, budget and depth are those of the whole tree, in every process. */
export function itHasOneLedger(mesh: SuiteMesh): void {
  const ids = Array.from({ length: 40 }, (_, index) => `leaf-${index}`);

  /** A desk that asks 40 others in parallel, each in another process than the desk. */
  async function askForty(options: RouterOptions): Promise<Response> {
    await mesh.start(Object.fromEntries(ids.map((id) => [id, async () => ({ answer: id })])));
    const { router } = await mesh.start(
      {
        desk: async (query, context) => {
          const responses = await Promise.all(ids.map((to) => ask(context, query, to)));
          return { answer: countAnswers(responses) };
        },
      },
      options,
    );
    await untilPresent(router, "leaf-39");
    return router.ask("q", { to: "desk" });
  }

  it("answers 40 parallel asks of other processes as it does those of its own", async () => {
    expect((await askForty({ maxHops: 41 })).answer).toBe("40 answers");
  });

  it("refuses in other processes what is refused in one", async () => {
    const { answer } = await askForty({ maxHops: 31 });

    expect(answer).toBe("30 answers, 10 MAX_DEPTH_EXCEEDED/budget-exceeded");
  });

  it("makes the 43 calls of a tree of six by six, and no more than the limit below that", async () => {
    const calls: string[] = [];
    const fansOut =
      (id: string, to: string): Librarian =>
      async (_query, context) => {
        calls.push(id);
        const queries = Array.from({ length: 6 }, (_, index) => `${calls.length} ${index}`);
        const responses = await Promise.all(queries.map((each) => ask(context, each, to)));
        return { answer: countAnswers(responses) };
      };
    const top = await mesh.start({ fan: fansOut("fan", "mid") });
    const middle = await mesh.start({ mid: fansOut("mid", "leaf") }, { maxHops: 1_000 });
    await mesh.start({
      leaf: async () => {
        calls.push("leaf");
        return { answer: "leaf" };
      },
    });
    await untilPresent(middle.router, "leaf");
    await untilPresent(top.router, "mid");

    for (const [maxHops, made] of [
      [43, 43],
      [20, 20],
      [8, 8],
    ] as const) {
      const { router } = await mesh.start({}, { maxHops });
      await untilPresent(router, "fan");
      calls.length = 0;
      const run = router.start("q", { to: "fan" });
      await run.response;
      for await (const _ of run.events);

      expect(calls).toHaveLength(made);
      expect(run.explain().spent?.hops).toBe(made);
    }
  });

  it("carries the depth limit of the caller", async () => {
    const called: string[] = [];
    const passesTo =
      (id: string, to: string): Librarian =>
      async () => {
        called.push(id);
        return { delegate: { to } };
      };
    const second = await mesh.start({ a: passesTo("a", "b") });
    await mesh.start({ b: passesTo("b", "c"), c: async () => ({ answer: "so" }) });
    const { router } = await mesh.start({}, { maxDepth: 2 });
    await untilPresent(second.router, "b");
    await untilPresent(router, "a");

    const { error } = await router.ask("q", { to: "a" });

    expect(error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "depth", maxDepth: 2 },
    });
    expect(called).toEqual(["a", "b"]);
  });

  it("spends one budget in all processes, and records what was spent, more than the limit too", async () => {
    const models = ["m1", "m2", "m3", "m4"];
    /** Uses 100 tokens, whatever it may. Its price shows only in what it used. */
    let calls = 0;
    let together = 1;
    let release = () => {};
    let begun = Promise.resolve();
    const complete = async (): Promise<AICompletion> => {
      if (++calls === together) release();
      await begun;
      const usage = { inputTokens: 50, outputTokens: 50, costUsd: 0.01 };
      return { text: "hi", stopReason: "end", model: "m", usage };
    };
    const unused = () => Promise.reject(new Error("not used"));
    const ai: AIClient = { complete, analyze: unused, runTools: unused };
    const librarian: Librarian = async (_query, context) => {
      await context?.ai?.complete({ prompt: "hello there", maxTokens: 50 });
      return { answer: "so" };
    };
    for (const id of models) await mesh.start({ [id]: librarian }, { ai });
    const own = await mesh.start(
      {
        desk: async (_query, context) => {
          const asks = Array.from({ length: 8 }, (_, index) =>
            ask(context, `q${index}`, models[index % 4] ?? ""),
          );
          return { answer: countAnswers(await Promise.all(asks)) };
        },
      },
      { ai },
    );
    for (const id of models) await untilPresent(own.router, id);
    for (const [budget, answer, made, atOnce] of [
      [{ tokens: 1_000 }, "8 answers", 8, 8],
      [{ costUsd: 0.1 }, "8 answers", 8, 1], // the first one shows the price
      // 54 are reserved for a call, 26 of the 30 that are left for the sixth.
      [{ tokens: 300 }, "6 answers, 2 AI_UNAVAILABLE/budget-exceeded", 6, 6],
    ] as const) {
      calls = 0;
      together = atOnce;
      begun = new Promise((resolve) => (release = resolve));
      const run = own.router.start("q", { to: "desk", budget });
      expect((await run.response).answer).toBe(answer);
      for await (const _ of run.events);
      expect(calls).toBe(made);
      expect(run.explain().spent?.tokens).toBe(made * 100);
      expect(run.explain().spent?.costUsd).toBeCloseTo(made * 0.01);
    }
  });
}

async function ask(
  context: Parameters<Librarian>[1],
  query: string,
  to: string,
): Promise<Response> {
  if (context?.ask === undefined) throw new Error("No router.");
  return context.ask(query, { to });
}

/** Such as "3 answers, 1 TIMEOUT/deadline". */
function countAnswers(responses: readonly Response[]): string {
  const counts = new Map<string, number>();
  for (const { answer, error } of responses) {
    const key = answer === undefined ? `${error?.code}/${error?.details?.reason}` : "answers";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const keys = [...counts.keys()].sort((one, other) => other.length - one.length).toReversed();
  return keys.map((key) => `${counts.get(key)} ${key}`).join(", ");
}

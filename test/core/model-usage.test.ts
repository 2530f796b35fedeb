import { printTree, printUsage, recordContent, redactSecrets } from "@constellation/authoring";
import { createRouter, MeshError } from "@constellation/core";
import { type ScriptedAI, scriptedAI } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type InMemorySpans, keepSpans } from "../../packages/core/test/in-memory-spans.js";
import { eventsOf } from "./events-of.js";

const usage = (inputTokens: number, outputTokens: number, costUsd: number) => ({
  inputTokens,
  outputTokens,
  costUsd,
});

/** desk asks the model and delegates to two, one of which fails with its model; the merge asks too. */
function office(ai: ScriptedAI) {
  const router = createRouter({ entry: "desk", ai });
  router.register({
    id: "desk",
    description: "delegates",
    librarian: async (query, context) => {
      await context?.ai?.complete({ system: "Be brief.", prompt: query });
      return {
        delegate: [{ to: "docs" }, { to: "notes" }],
        merge: async (branches, { ai: model, signal }) => {
          const blended = await model?.complete({ prompt: "blend", signal });
          return { answer: `${blended?.text} (${branches.length})` };
        },
      };
    },
  });
  router.register({
    id: "docs",
    description: "reads",
    librarian: async (_query, context) => {
      context?.report?.("reading password=hunter2hunter2");
      const reply = await context?.ai?.analyze({
        prompt: [{ role: "user", text: "which page? api_key=sk-1234567890abcdef" }],
        schema: z.object({ page: z.string() }),
      });
      return { answer: `See ${reply?.value.page}.`, sources: [{ name: "a.md" }] };
    },
  });
  router.register({
    id: "notes",
    description: "falls back",
    librarian: async (_query, context) => {
      await context?.ai?.complete({ prompt: "notes?" }).catch(() => undefined);
      return { answer: "without a model" };
    },
  });
  return router;
}

function script(): ScriptedAI {
  return scriptedAI((request) => {
    const prompt = JSON.stringify(request.prompt);
    if (prompt.includes("which page")) {
      return { value: { page: "a.md" }, usage: { ...usage(200, 20, 0.02), cacheReadTokens: 150 } };
    }
    if (prompt.includes("notes?")) {
      const error = new MeshError("AI_UNAVAILABLE", "The reply does not fit.", {
        details: { usage: usage(7, 3, 0.001), text: "a reply", problem: "page: expected text" },
      });
      return { error, usage: usage(7, 3, 0.001) };
    }
    if (prompt.includes("blend")) return { text: "Both agree", usage: usage(50, 5, 0.005) };
    return { text: "ask both", usage: usage(100, 10, 0.01) };
  });
}

describe("what a run uses of models", () => {
  it("is on its record, per hop and in total, and is what the model charged", async () => {
    const ai = script();
    const run = office(ai).start("why?");
    await run.response;

    const record = run.explain();
    const perHop = Object.fromEntries(record.hops.map(({ to, usage: used }) => [to, used]));

    expect(record.usage).toMatchObject({ ...ai.usage, cacheReadTokens: 150, modelCalls: 4 });
    expect(perHop.desk).toMatchObject({ inputTokens: 150, outputTokens: 15, modelCalls: 2 });
    expect(perHop.docs).toMatchObject({ inputTokens: 200, costUsd: 0.02, modelCalls: 1 });
    expect(perHop.notes).toEqual({
      inputTokens: 7,
      outputTokens: 3,
      costUsd: 0.001,
      modelCalls: 1,
    });
    expect(printTree(record)).toContain("395 tokens, $0.0360");
  });

  it("is absent where no model was called, and has no cost where a price is not known", async () => {
    const unpriced = scriptedAI([{ text: "ok", usage: { inputTokens: 5, outputTokens: 1 } }]);
    const router = createRouter({
      ai: {
        ...unpriced,
        complete: async (request) => withoutCost(await unpriced.complete(request)),
      },
    });
    router.register({
      id: "one",
      description: "may ask a model",
      librarian: async (query, context) => {
        if (query === "ask") await context?.ai?.complete({ prompt: "x" });
        return { answer: "ok" };
      },
    });

    const quiet = router.start("do not");
    const asked = router.start("ask");
    await Promise.all([quiet.response, asked.response]);

    expect(quiet.explain()).not.toHaveProperty("usage");
    expect(asked.explain().usage).toEqual({ inputTokens: 5, outputTokens: 1, modelCalls: 1 });
    expect(printUsage(asked.explain().usage)).toBe("6 tokens");
  });

  it("is estimated where a client reports no usage, or what is not an amount", async () => {
    const odd = { inputTokens: Number.NaN, outputTokens: -3, costUsd: "1" };
    const replies: unknown[] = [{ text: "a", usage: odd }, undefined];
    const router = createRouter({
      ai: { ...scriptedAI([]), complete: async () => replies.shift() as never },
    });
    router.register({
      id: "one",
      description: "asks twice",
      librarian: async (_query, context) => {
        await context?.ai?.complete({ prompt: "x".repeat(30) });
        const second = await context?.ai?.complete({ prompt: "x" }).catch(() => "not a completion");
        return { answer: String(second) };
      },
    });

    const run = router.start("ask");

    expect(await run.response).toMatchObject({ answer: "not a completion" });
    expect(run.explain().usage).toEqual({
      inputTokens: 11,
      outputTokens: 1,
      estimated: true,
      modelCalls: 2,
    });
    expect(printUsage(run.explain().usage)).toBe("about 12 tokens");
  });

  describe("on spans", () => {
    let spans: InMemorySpans;
    beforeEach(() => {
      spans = keepSpans();
    });
    afterEach(async () => {
      await spans.close();
    });

    it("says where it is an estimate", async () => {
      await office({
        ...script(),
        complete: async () => ({ text: "ask both", stopReason: "end", model: "m" }) as never,
      }).ask("why?");

      const estimated = (name: string) => spans.named(name).attributes["librarian.usage.estimated"];
      expect(estimated("invoke_agent desk")).toBe(true);
      expect(estimated("invoke_agent docs")).toBeUndefined();
      expect(estimated("invoke_workflow constellation")).toBe(true);
    });

    it("is on the hop, on the merge and, in total, on the run", async () => {
      await office(script()).ask("why?");

      const used = (name: string) => {
        const { attributes } = spans.named(name);
        return [
          attributes["gen_ai.usage.input_tokens"],
          attributes["gen_ai.usage.output_tokens"],
          attributes["librarian.usage.model_calls"],
        ];
      };
      expect(used("invoke_agent desk")).toEqual([100, 10, 1]);
      expect(used("invoke_agent docs")).toEqual([200, 20, 1]);
      expect(used("merge custom")).toEqual([50, 5, 1]);
      expect(used("invoke_workflow constellation")).toEqual([357, 38, 4]);
      expect(
        spans.named("invoke_workflow constellation").attributes["librarian.usage.cost_usd"],
      ).toBeCloseTo(0.036);
    });
  });
});

describe("the content of a record", () => {
  it("is what was said, redacted, and only where it is asked for", async () => {
    const run = office(script()).start("why?");
    await run.response;

    const plain = JSON.stringify(run.explain());
    const record = recordContent(await eventsOf(run), { clean: redactSecrets });
    const docs = record.hops.find(({ to }) => to === "docs");
    const notes = record.hops.find(({ to }) => to === "notes");

    expect(plain).not.toMatch(/which page|See a\.md|Be brief|reading/);
    expect(docs?.content).toMatchObject({ answer: "See a.md.", sources: [{ name: "a.md" }] });
    expect(docs?.content?.progress?.[0]?.message).toMatch(/^reading password=/);
    expect(docs?.modelCalls?.[0]?.content?.prompt).toContain("user: which page?");
    expect(notes?.modelCalls?.[0]).toMatchObject({
      error: { code: "AI_UNAVAILABLE" },
      content: { prompt: "notes?", reply: "a reply", problem: "page: expected text" },
    });
    expect(JSON.stringify(record)).not.toMatch(/hunter2hunter2|sk-1234567890abcdef/);
  });

  it("holds what a librarian threw, for its author", async () => {
    const router = createRouter();
    router.register({
      id: "one",
      description: "throws",
      librarian: () => {
        throw new TypeError("cannot read x of undefined");
      },
    });
    const run = router.start("q");
    await run.response;

    const clean = (text: string) => text;
    const events = await eventsOf(run);
    const [hop] = recordContent(events, { clean, debug: true }).hops;

    expect(JSON.stringify(recordContent(events, { clean }))).not.toContain("cannot read x");
    expect(hop?.content?.thrown).toMatch(/TypeError: cannot read x of undefined\n\s+at /);
  });

  it("stays within its limit, however much librarians say", async () => {
    const router = createRouter({ ai: scriptedAI(() => "r".repeat(60_000)), maxHops: 200 });
    router.register({
      id: "one",
      description: "says much",
      librarian: async (_query, context) => {
        for (let call = 0; call < 120; call++) {
          await context?.ai?.complete({ system: "s".repeat(60_000), prompt: "p".repeat(60_000) });
          context?.report?.("m".repeat(4_000));
        }
        return { answer: "a".repeat(60_000), metadata: { notes: "n".repeat(60_000) } };
      },
    });
    const run = router.start("q");
    await run.response;

    const record = recordContent(await eventsOf(run), { clean: (text) => text });
    const [kept] = record.hops;

    expect(JSON.stringify(record).length).toBeLessThan(1_048_576 + 100_000);
    expect(kept?.modelCalls).toHaveLength(100);
  });
});

function withoutCost<Reply extends { readonly usage: object }>(reply: Reply): Reply {
  return { ...reply, usage: { ...reply.usage, costUsd: undefined } };
}

import { generateChecked, printTree, recordContent, redactSecrets } from "@constellation/authoring";
import type { Response } from "@constellation/core";
import { createRouter } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eventsOf } from "./events-of.js";

describe("the record of work that is done again", () => {
  it("holds what each attempt answered, and which hop a retry is for", async () => {
    const router = createRouter();
    const busy: Response = {
      error: {
        code: "SERVICE_UNAVAILABLE",
        message: "The backend is busy.",
        details: { status: 503, token: "password=hunter2hunter2" },
      },
    };
    const replies = [busy, { answer: "fine", metadata: { page: 1 } }];
    router.register({
      id: "flaky",
      description: "fails once",
      retry: { attempts: 2, minDelayMs: 1, maxDelayMs: 1 },
      librarian: async () => replies.shift() ?? busy,
    });
    const run = router.start("q");
    await run.response;

    const { hops } = recordContent(await eventsOf(run), { clean: redactSecrets });

    expect(hops).toMatchObject([
      { attempt: 1, outcome: "error", error: { message: "The backend is busy." } },
      {
        attempt: 2,
        again: { kind: "retry", hopId: 1 },
        content: { answer: "fine", metadata: '{\n  "page": 1\n}' },
      },
    ]);
    expect(hops[0]).not.toHaveProperty("again");
    expect(hops[0]?.content?.errorDetails).toContain('"status": 503');
    expect(hops[0]?.content?.errorDetails).not.toContain("hunter2");
  });

  it("tells a call beside a slow one from a retry", async () => {
    const router = createRouter();
    let calls = 0;
    router.register({
      id: "slow",
      description: "is slow once",
      hedge: { afterMs: 1 },
      librarian: (_query, context) =>
        ++calls > 1
          ? Promise.resolve({ answer: "second" })
          : new Promise((_resolve, reject) => {
              context?.signal?.addEventListener("abort", () => reject(new Error("stopped")));
            }),
    });
    const run = router.start("q");
    await run.response;

    expect(run.explain().hops[1]).toMatchObject({ attempt: 1, again: { kind: "hedge", hopId: 1 } });
    expect(printTree(run.explain())).toContain("answer, asked beside a slow one");
  });

  it("says why a model was asked again", async () => {
    const router = createRouter({
      ai: scriptedAI([{ value: { city: "Lyon" } }, { value: { city: "Paris" } }]),
    });
    router.register({
      id: "atlas",
      description: "asks a model",
      librarian: async (_query, context) => {
        const { ai } = context;
        if (ai === undefined) return { answer: "There is no model." };
        const generated = await generateChecked(
          ai,
          { prompt: "Capital of France?", schema: z.object({ city: z.string() }) },
          {
            context,
            check: ({ city }) =>
              city === "Paris"
                ? { value: city }
                : { problems: [`${city} is not the capital, password=hunter2hunter2.`] },
          },
        );
        return { answer: generated.outcome === "valid" ? generated.value : "unknown" };
      },
    });
    const run = router.start("q");
    await run.response;

    const [first, second] =
      recordContent(await eventsOf(run), { clean: redactSecrets }).hops[0]?.modelCalls ?? [];
    expect(first).not.toHaveProperty("attempt");
    expect(first?.content).not.toHaveProperty("again");
    expect(second).toMatchObject({
      attempt: 2,
      content: { again: expect.stringMatching(/^Lyon is not the capital/) },
    });
    expect(JSON.stringify(second?.content?.again)).not.toContain("hunter2");
    expect(JSON.stringify(run.explain())).not.toContain("Lyon");
  });
});

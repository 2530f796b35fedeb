import { mergeStrategySchema } from "@constellation/authoring/schemas";
import type {
  MergeFunction,
  MergeStrategy,
  MeshLibrarian,
  Response,
  ResponseFields,
} from "@constellation/core";
import { mergeStrategyNames } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  answers,
  answersAfter,
  fails,
  gate,
  meshOf,
  never,
  type Part,
  passesTo,
  returning,
  throws,
  untilAborted,
  watched,
} from "./mesh.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Fails after a while. */
function failsAfter(
  ms: number,
  code: "NOT_FOUND" | "DATA_SOURCE_ERROR" = "NOT_FOUND",
): MeshLibrarian {
  return async () => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { error: { code, message: "late" } };
  };
}

/** Asks all of these at once, from `desk`, and lets a minute pass. */
async function fanOut(
  branches: Readonly<Record<string, Part>>,
  merge?: MergeStrategy,
  own: ResponseFields = {},
): Promise<Response> {
  const delegate = Object.keys(branches).map((to) => ({ to }));
  const response = meshOf({ desk: async () => ({ ...own, delegate }), ...branches }).ask("q", {
    merge,
  });
  await vi.advanceTimersByTimeAsync(60_000);
  return response;
}

describe("rule 5, merge-all", () => {
  it("joins all answers in the order asked, whenever they came, each under its name", async () => {
    const response = await fanOut({
      b: answersAfter(30, "B says"),
      c: { librarian: answersAfter(10, "C says"), name: "Cluster" },
      d: answersAfter(20, "D says"),
    });

    const positions = ["b", "B says", "Cluster", "C says", "d", "D says"].map((text) =>
      response.answer?.search(new RegExp(`(?<![a-z])${text}(?![a-z])`)),
    );
    expect(positions).not.toContain(-1);
    expect(positions).toEqual([...positions].sort((x = 0, y = 0) => x - y));
  });

  it("gives an answer that several gave once, under all their names", async () => {
    const first = "## Restart\n\nRun `restart billing`.\n\nThen look at the log.";
    const response = await fanOut({
      b: answers(first, { headline: "Restart it.", confidence: 0.9 }),
      c: answers("Ask Ann.\nShe knows."),
      d: { librarian: answers(`${first.replace("\n\nThen", "\r\n\r\nThen ")}\n`), name: "Docs" },
    });

    expect(response.answer).toBe(
      `- **b, Docs**: Restart it.\n- **c**: Ask Ann.\n\n## b, Docs\n\n${first}\n\n## c\n\nAsk Ann.\nShe knows.`,
    );
    expect(response.metadata?.branches).toHaveLength(3);
  });

  it("gives an answer that all gave without a summary, with its headline", async () => {
    const same = answers("Restart it.\nThen wait.", { headline: "Restart." });
    const response = await fanOut({ b: same, c: same });

    expect(response).toMatchObject({
      answer: "## b, c\n\nRestart it.\nThen wait.",
      headline: "Restart.",
    });
  });

  it("keeps answers apart that differ in how they are indented", async () => {
    const response = await fanOut({ b: answers("a:\n  b: 1"), c: answers("a:\nb: 1") });

    expect(response.answer).toMatch(/## b\n[\s\S]*## c\n/);
  });

  it("is the default", async () => {
    expect((await fanOut({ b: answers("B"), c: answers("C") })).answer).toBe(
      (await fanOut({ b: answers("B"), c: answers("C") }, "merge-all")).answer,
    );
  });

  it("gives the mean of the confidences there are", async () => {
    const response = await fanOut({
      b: answers("B", { confidence: 0.9 }),
      c: answers("C", { confidence: 0.7 }),
      d: answers("D"),
    });

    expect(response.confidence).toBeCloseTo(0.8, 10);
    expect(response.partial).not.toBe(true);
  });

  it("has no confidence where no branch has one", async () => {
    expect(await fanOut({ b: answers("B"), c: answers("C") })).not.toHaveProperty("confidence");
  });

  it("is partial when one of the answers is", async () => {
    const response = await fanOut({ b: answers("B", { partial: true }), c: answers("C") });

    expect(response.partial).toBe(true);
  });

  it("waits for the last, and merges what is there when that fails", async () => {
    const response = await fanOut({ b: answers("B"), c: failsAfter(500, "DATA_SOURCE_ERROR") });

    expect(response).toMatchObject({
      answer: "B",
      partial: true,
      metadata: { missing: [{ to: "c", code: "DATA_SOURCE_ERROR" }] },
    });
  });
});

describe("rule 5, metadata of a fan-out", () => {
  it("keeps the first of two under one key, in the order asked", async () => {
    const response = await fanOut({
      b: answersAfter(20, "B", { metadata: { facts: "b's", only: 1 } }),
      c: answersAfter(10, "C", { metadata: { facts: "c's", other: 2 } }),
    });

    expect(response.metadata).toMatchObject({ facts: "b's", only: 1, other: 2 });
  });

  it("keeps the first also where it is null, false or nothing", async () => {
    const first = { nothing: null, no: false, none: 0, blank: "" };
    const response = await fanOut({
      b: answers("B", { metadata: first }),
      c: answers("C", { metadata: { nothing: 1, no: 1, none: 1, blank: 1 } }),
    });

    expect(response.metadata).toMatchObject(first);
  });

  it("keeps keys that every object has by birth", async () => {
    const metadata = { constructor: "c", toString: "t", valueOf: "v", hasOwnProperty: "h" };

    const response = await fanOut({
      b: returning({ answer: "B", metadata }),
      c: answers("C"),
    });

    for (const [key, value] of Object.entries(metadata)) {
      expect(Object.entries(response.metadata ?? {})).toContainEqual([key, value]);
    }
  });

  it("has every branch, whole, in the order asked", async () => {
    const b = { answer: "B", confidence: 0.9, metadata: { facts: "b's" } };
    const c = { answer: "C", confidence: 0.9, metadata: { facts: "c's" } };
    const error = { code: "NOT_FOUND", message: "nothing" } as const;

    const response = await fanOut({
      b: returning(b),
      c: { librarian: returning(c), name: "Cluster" },
      d: returning({ error }),
    });

    expect(response.metadata?.branches).toEqual([
      { to: "b", name: "b", response: b },
      { to: "c", name: "Cluster", response: c },
      { to: "d", name: "d", response: { error: expect.objectContaining(error) } },
    ]);
  });
});

describe("rule 5, best-confidence", () => {
  it("gives the answer with the highest confidence, as it is", async () => {
    const response = await fanOut(
      {
        b: answers("B", { confidence: 0.7 }),
        c: answersAfter(50, "C", { confidence: 0.9, sources: [{ name: "c.md" }] }),
        d: answers("D"),
      },
      "best-confidence",
    );

    expect(response).toMatchObject({
      answer: "C",
      confidence: 0.9,
      sources: [{ name: "c.md" }],
    });
    expect(response.partial).not.toBe(true);
  });

  it("gives the first asked of equals", async () => {
    const response = await fanOut(
      {
        b: answersAfter(50, "B", { confidence: 0.8 }),
        c: answers("C", { confidence: 0.8 }),
      },
      "best-confidence",
    );

    expect(response.answer).toBe("B");
  });

  it("lets the own answer of the delegating librarian take part", async () => {
    const own = { answer: "own", confidence: 0.95 };

    const response = await fanOut({ b: answers("B", { confidence: 0.9 }) }, "best-confidence", own);

    expect(response).toMatchObject({ answer: "own", confidence: 0.95 });
  });

  it("never prefers NOT_FOUND to an answer, however doubtful", async () => {
    const response = await fanOut(
      {
        b: returning({ error: { code: "NOT_FOUND", message: "sure of it" }, confidence: 1 }),
        c: answers("C", { confidence: 0.01 }),
      },
      "best-confidence",
    );

    expect(response).toMatchObject({ answer: "C", partial: true });
  });
});

describe("rule 5, first-success", () => {
  it("takes the first complete answer, passing over errors and partial ones", async () => {
    const response = await fanOut(
      {
        b: failsAfter(10),
        c: answersAfter(20, "C", { partial: true }),
        d: answersAfter(30, "D"),
        e: never,
      },
      "first-success",
    );

    expect(response.answer).toBe("D");
  });

  it("does not wait for the others, and aborts their signals", async () => {
    const loser = watched(untilAborted);
    const router = meshOf({
      desk: passesTo("loser", "winner"),
      loser: loser.librarian,
      winner: answersAfter(10, "W"),
    });

    const response = router.ask("q", { merge: "first-success" });
    await vi.advanceTimersByTimeAsync(10);

    expect((await response).answer).toBe("W");
    expect(loser.contexts[0]?.signal?.aborted).toBe(true);
    expect(loser.contexts[0]?.signal?.reason).toMatchObject({
      code: "TIMEOUT",
      reason: "cancelled",
    });
  });

  it("gives the best partial answer where none is complete", async () => {
    const response = await fanOut(
      {
        b: answers("B", { partial: true, confidence: 0.3 }),
        c: answersAfter(20, "C", { partial: true, confidence: 0.5 }),
        d: fails("NOT_FOUND"),
      },
      "first-success",
    );

    expect(response).toMatchObject({ answer: "C", partial: true });
  });
});

describe("rule 5, race", () => {
  it("takes the first answer, complete or partial, and passes over errors", async () => {
    const response = await fanOut(
      {
        b: fails("NOT_FOUND"),
        c: answersAfter(20, "C"),
        d: answersAfter(10, "D", { partial: true }),
      },
      "race",
    );

    expect(response).toMatchObject({ answer: "D", partial: true });
  });

  it("aborts the signals of those that lost, and of all below them", async () => {
    const below = watched(untilAborted);
    const asked = watched(untilAborted);
    const asking: MeshLibrarian = async (query, context) =>
      await context.ask(query, { to: "asked" });
    const router = meshOf({
      desk: passesTo("winner", "middle", "asking"),
      winner: answersAfter(10, "W"),
      middle: passesTo("below"),
      below: below.librarian,
      asking,
      asked: asked.librarian,
    });

    const response = router.ask("q", { merge: "race" });
    await vi.advanceTimersByTimeAsync(10);

    expect((await response).answer).toBe("W");
    expect(below.contexts[0]?.signal?.aborted).toBe(true);
    expect(asked.contexts[0]?.signal?.aborted).toBe(true);
  });

  it("is not partial because a branch lost", async () => {
    const response = await fanOut({ b: answers("B"), c: answersAfter(10, "C") }, "race");

    expect(response.partial).not.toBe(true);
    expect(response.metadata?.missing).toBeUndefined();
  });

  it("does not ask those who were still waiting for their turn", async () => {
    const sixth = watched(answers("late"));

    const response = await fanOut(
      { b: answers("B"), c: never, d: never, e: never, f: never, sixth: sixth.librarian },
      "race",
    );

    expect(response.answer).toBe("B");
    expect(sixth.queries).toEqual([]);
  });
});

describe("rule 5, quorum(n)", () => {
  it("takes the first n answers to arrive, merged in the order asked", async () => {
    const loser = watched(untilAborted);

    const response = await fanOut(
      {
        b: answersAfter(30, "B says"),
        c: loser.librarian,
        d: failsAfter(5),
        e: answersAfter(10, "E says"),
      },
      { quorum: 2 },
    );

    expect(response.answer).toMatch(/B says[\s\S]*E says/);
    expect(loser.contexts[0]?.signal?.aborted).toBe(true);
  });

  it("of all waits for all", async () => {
    const response = await fanOut(
      { b: answersAfter(30, "B says"), c: answersAfter(20, "C says") },
      { quorum: 2 },
    );

    expect(response.answer).toMatch(/B says[\s\S]*C says/);
  });

  it("that is not reached gives what there is, and names who failed", async () => {
    const response = await fanOut(
      { b: answers("B"), c: fails("NOT_FOUND"), d: fails("DATA_SOURCE_ERROR") },
      { quorum: 2 },
    );

    expect(response).toMatchObject({ answer: "B", partial: true });
    expect(response.metadata?.missing?.map(({ to }) => to)).toEqual(["c", "d"]);
  });
});

describe("rule 5, a fan-out that is decided", () => {
  const strategies = ["first-success", "race", { quorum: 1 }] as const;

  for (const merge of strategies) {
    it(`aborts those that lost while the run continues: ${JSON.stringify(merge)}`, async () => {
      const loser = watched(untilAborted);
      const below = watched(untilAborted);
      const goOn = gate();
      const asking: MeshLibrarian = async (query, context) => {
        const decided = await context?.ask?.(query, { to: "desk", merge });
        await goOn.opened;
        return { answer: `decided: ${decided?.answer}` };
      };
      const response = meshOf({
        asking,
        desk: passesTo("loser", "middle", "winner"),
        loser: loser.librarian,
        middle: passesTo("below"),
        below: below.librarian,
        winner: answersAfter(10, "W"),
      }).ask("q");

      await vi.advanceTimersByTimeAsync(10);
      const signals = [loser, below].map(({ contexts }) => contexts[0]?.signal);

      expect(signals.map((signal) => signal?.aborted)).toEqual([true, true]);
      expect(signals[0]?.reason).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
      goOn.open();
      expect((await response).answer).toBe("decided: W");
    });
  }
});

describe("rule 5, a function", () => {
  it("gets every branch in the order asked, the query and a signal", async () => {
    const merge = vi.fn<MergeFunction>(async () => ({ answer: "merged" }));

    const response = await fanOut({ b: answersAfter(20, "B"), c: answers("C"), d: throws }, merge);

    expect(response.answer).toBe("merged");
    const [branches = [], options] = merge.mock.calls[0] ?? [];
    expect(
      branches.map(({ to, response: { answer, error } }) => [to, answer ?? error?.code]),
    ).toEqual([
      ["b", "B"],
      ["c", "C"],
      ["d", "INTERNAL_ERROR"],
    ]);
    expect(options).toMatchObject({ query: "q", signal: expect.any(AbortSignal) });
  });

  it("may be synchronous, and cannot hide what is missing", async () => {
    const response = await fanOut({ b: answers("B"), c: throws }, () => ({ answer: "all fine" }));

    expect(response).toMatchObject({
      answer: "all fine",
      partial: true,
      metadata: { missing: [{ to: "c", code: "INTERNAL_ERROR" }] },
    });
    expect(response.metadata?.branches).toHaveLength(2);
  });

  it("gets the own answer of the delegating librarian too", async () => {
    const merge: MergeFunction = (branches) => ({
      answer: branches.map(({ to, response }) => `${to}=${response.answer}`).join(),
    });

    const response = await fanOut({ b: answers("B") }, merge, { answer: "own" });

    expect(response.answer).toBe("desk=own,b=B");
  });

  const broken: Readonly<Record<string, MergeFunction>> = {
    "throws at once": () => {
      throw new Error("password=x");
    },
    rejects: async () => {
      throw new Error("password=x");
    },
    "returns nothing": returning(undefined) as unknown as MergeFunction,
    "returns a value that is not a response": returning({
      confidence: 2,
    }) as unknown as MergeFunction,
    delegates: async () => ({ delegate: { to: "b" } }),
    "never settles": () => new Promise(() => {}),
  };
  for (const [what, merge] of Object.entries(broken)) {
    it(`that ${what} loses no answer: merged as merge-all does, with the failure beside`, async () => {
      const response = await fanOut({ b: answers("B says"), c: answers("C says") }, merge);

      expect(response.answer).toMatch(/B says[\s\S]*C says/);
      expect(response.partial).toBe(true);
      expect(response.error).toBeDefined();
      expect(JSON.stringify(response)).not.toContain("password");
    });
  }
});

describe("rule 5, who names the strategy", () => {
  const branches = {
    b: answers("B", { confidence: 0.7 }),
    c: answers("C", { confidence: 0.9 }),
  };
  const delegate = [{ to: "b" }, { to: "c" }];

  it("is the response before ask, and ask before the router", async () => {
    const plain = meshOf({ desk: passesTo("b", "c"), ...branches }, { merge: "best-confidence" });
    const choosy = meshOf({
      desk: async () => ({ delegate, merge: "best-confidence" as const }),
      ...branches,
    });

    expect((await plain.ask("q")).answer).toBe("C");
    expect((await plain.ask("q", { merge: "merge-all" })).answer).toMatch(/B[\s\S]*C/);
    expect((await choosy.ask("q", { merge: "merge-all" })).answer).toBe("C");
  });

  it("is the response for its own fan-out alone", async () => {
    const response = await meshOf({
      desk: async () => ({
        delegate: [{ to: "inner" }, { to: "e" }],
        merge: "race" as const,
      }),
      inner: passesTo("b", "c"),
      ...branches,
      e: never,
    }).ask("q");

    expect(response.answer).toMatch(/B[\s\S]*C/);
  });

  it("is context.ask, for a fan-out of whom it asks", async () => {
    const asking: MeshLibrarian = async (query, context) =>
      await context.ask(query, { to: "desk", merge: "best-confidence" });

    const response = await meshOf({ asking, desk: passesTo("b", "c"), ...branches }).ask("q");

    expect(response.answer).toBe("C");
  });

  it("names one of those there are", () => {
    expect(mergeStrategyNames).toEqual([
      "merge-all",
      "best-confidence",
      "first-success",
      "race",
      "ai-blend",
    ]);
    const good = [...mergeStrategyNames, { quorum: 1 }, { quorum: 7 }, () => ({ answer: "a" })];
    const bad = ["all", "", { quorum: 0 }, { quorum: 1.5 }, { quorum: "2" }, {}, 3, null];

    expect(good.filter((each) => mergeStrategySchema.safeParse(each).success)).toEqual(good);
    expect(bad.filter((each) => mergeStrategySchema.safeParse(each).success)).toEqual([]);
  });

  it("of a response that is not one makes it invalid, and no librarian is asked", async () => {
    const b = watched(answers("B"));

    const response = await meshOf({
      desk: returning({ delegate: [{ to: "b" }], merge: "loudest" }),
      b: b.librarian,
    }).ask("q");

    expect(response.error?.details?.reason).toBe("invalid-response");
    expect(b.queries).toEqual([]);
  });
});

describe("rule 5, when every branch failed", () => {
  it("is their code where it is one", async () => {
    const response = await fanOut({ b: fails("NOT_FOUND"), c: fails("NOT_FOUND") });

    expect(response.error?.code).toBe("NOT_FOUND");
    expect(response.answer).toBeUndefined();
    expect(response.metadata?.missing?.map(({ to }) => to)).toEqual(["b", "c"]);
    expect(response.metadata?.branches).toHaveLength(2);
  });

  it("keeps the reason where it is one too", async () => {
    const error = {
      code: "NOT_FOUND",
      message: "nothing",
      details: { reason: "no-information" },
    } as const;

    const one = await fanOut({ b: returning({ error }), c: returning({ error }) });
    const two = await fanOut({ b: returning({ error }), c: fails("NOT_FOUND") });

    expect(one.error?.details?.reason).toBe("no-information");
    expect(two.error).toMatchObject({ code: "NOT_FOUND" });
    expect(two.error?.details?.reason).toBeUndefined();
  });

  it("is DELEGATION_FAILED where they are several", async () => {
    const response = await fanOut({ b: fails("NOT_FOUND"), c: fails("DATA_SOURCE_ERROR") });

    expect(response.error?.code).toBe("DELEGATION_FAILED");
    expect(response.error?.message).toMatch(/b.*NOT_FOUND.*c.*DATA_SOURCE_ERROR/);
  });

  for (const merge of ["best-confidence", "first-success", "race", { quorum: 1 }] as const) {
    it(`is so with ${JSON.stringify(merge)} as well`, async () => {
      const response = await fanOut({ b: fails("NOT_FOUND"), c: failsAfter(10) }, merge);

      expect(response.error?.code).toBe("NOT_FOUND");
      expect(response.metadata?.missing).toHaveLength(2);
    });
  }

  it("is not given to a merge function: there is nothing to merge", async () => {
    const merge = vi.fn<MergeFunction>(() => ({ answer: "made up" }));

    const response = await fanOut({ b: throws, c: fails("NOT_FOUND") }, merge);

    expect(response.error?.code).toBe("DELEGATION_FAILED");
    expect(merge).not.toHaveBeenCalled();
  });
});

describe("rule 5, fan-outs inside a fan-out", () => {
  it("name what is missing in them, in the place of their branch", async () => {
    const response = await fanOut({
      b: throws,
      inner: passesTo("d", "nobody", "e"),
      d: answers("D says"),
      e: fails("RATE_LIMITED"),
      c: fails("NOT_FOUND"),
    });

    expect(response.answer).toContain("D says");
    // d and e are branches of the outer one too
    expect(response.metadata?.missing?.map(({ to, code }) => `${to} ${code}`)).toEqual([
      "b INTERNAL_ERROR",
      "nobody DELEGATION_FAILED",
      "e RATE_LIMITED",
      "e RATE_LIMITED",
      "c NOT_FOUND",
    ]);
  });

  it("that fail whole are one branch that failed", async () => {
    const response = await meshOf({
      desk: passesTo("inner", "b"),
      inner: passesTo("c", "d"),
      b: answers("B"),
      c: throws,
      d: fails("NOT_FOUND"),
    }).ask("q");

    expect(response).toMatchObject({ answer: "B", partial: true });
    expect(response.metadata?.missing).toMatchObject([{ to: "inner", code: "DELEGATION_FAILED" }]);
  });

  it("keep their partial answer partial up to the root", async () => {
    const response = await meshOf({
      root: passesTo("desk"),
      desk: passesTo("inner", "b"),
      inner: passesTo("c", "d"),
      b: answers("B"),
      c: answers("C"),
      d: throws,
    }).ask("q");

    expect(response.answer).toMatch(/C[\s\S]*B/);
    expect(response.partial).toBe(true);
    expect(response.metadata?.missing?.map(({ to }) => to)).toEqual(["d"]);
  });
});

describe("rule 5, how many at once", () => {
  it("is fanoutConcurrency, 4 by default, and each gets a turn", async () => {
    for (const [fanoutConcurrency, expected] of [
      [undefined, 4],
      [2, 2],
      [Number.POSITIVE_INFINITY, 10],
    ] as const) {
      let busy = 0;
      let most = 0;
      const counting: MeshLibrarian = async () => {
        most = Math.max(most, ++busy);
        await new Promise((resolve) => setTimeout(resolve, 10));
        busy--;
        return { answer: "ok" };
      };
      const ids = Array.from({ length: 10 }, (_, index) => `b${index}`);

      const response = meshOf(
        {
          desk: passesTo(...ids),
          ...Object.fromEntries(ids.map((id) => [id, counting])),
        },
        { fanoutConcurrency },
      ).ask("q");
      await vi.advanceTimersByTimeAsync(1_000);

      expect((await response).metadata?.branches).toHaveLength(10);
      expect(most).toBe(expected);
    }
  });

  it("does not deadlock when fan-outs nest under a limit of 1", async () => {
    const response = await meshOf(
      {
        a: passesTo("b", "c"),
        b: passesTo("d", "e"),
        c: passesTo("d", "e"),
        d: answers("D"),
        e: answers("E"),
      },
      { fanoutConcurrency: 1 },
    ).ask("q");

    expect(response.metadata?.missing).toBeUndefined();
    expect(response.answer).toBe("## b, c\n\n## d\n\nD\n\n## e\n\nE");
  });
});

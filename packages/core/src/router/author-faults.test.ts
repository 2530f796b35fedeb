import { describe, expect, it, onTestFinished } from "vitest";
import { keepSpans } from "../../test/in-memory-spans.js";
import { createRouter } from "./create-router.js";

/** Keeps the thread busy. */
function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describe("a librarian that blocks the event loop", () => {
  it("is named on its record and its event, with how long", async () => {
    const router = createRouter();
    router.register({
      id: "busy",
      description: "computes",
      librarian: async () => {
        block(250);
        return { answer: "done" };
      },
    });
    const spans = keepSpans();
    onTestFinished(spans.close);
    const run = router.start("q");
    await run.response;

    const span = spans.readable().find(({ name }) => name === "invoke_agent busy");
    expect(span?.attributes["librarian.blocked_ms"]).toBeGreaterThanOrEqual(250);
    const [hop] = run.explain().hops;
    expect(hop?.blockedMs).toBeGreaterThanOrEqual(250);
  });

  it("is not one that was called after something else had blocked it", async () => {
    const router = createRouter();
    router.register({
      ...{ id: "idle", description: "answers at once" },
      librarian: async () => ({ answer: "done" }),
    });
    await router.start("q").response;
    block(300);
    const run = router.start("q");
    await run.response;

    expect(run.explain().hops[0]?.blockedMs).toBeUndefined();
  });

  it("is named also where it throws, and has run out of time", async () => {
    const router = createRouter({ timeoutMs: 100 });
    router.register({
      id: "busy",
      description: "computes",
      librarian: () => {
        block(300);
        throw new Error("no");
      },
    });
    const run = router.start("q");

    expect(await run.response).toMatchObject({
      error: { code: "TIMEOUT", details: { reason: "deadline" } },
    });
    expect(run.explain()).toMatchObject({ stopReason: "deadline" });
    expect(run.explain().hops[0]?.blockedMs).toBeGreaterThanOrEqual(300);
  });

  it.each(["returns", "throws", "asks", "is late"])(
    "is named where it blocks after it has waited, and then %s",
    async (then) => {
      const router = createRouter({ entry: "busy", timeoutMs: then === "is late" ? 200 : 5_000 });
      router.register({
        id: "busy",
        description: "computes",
        librarian: async (_query, { ask }) => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          block(300);
          if (then === "throws") throw new Error("no");
          return then === "asks" ? ask("another", { to: "idle" }) : { answer: "done" };
        },
      });
      router.register({
        id: "idle",
        description: "waits",
        librarian: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          return { answer: "ok" };
        },
      });
      const run = router.start("q");
      await run.response;
      await run.settled;

      const blocking = run.explain().hops.filter(({ blockedMs }) => blockedMs !== undefined);
      expect(blocking.map(({ to }) => to)).toEqual(["busy"]);
    },
  );

  it("is named where it blocks after it has waited, beside another one", async () => {
    const router = createRouter({ entry: "desk" });
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    router.register({
      id: "desk",
      description: "asks three",
      librarian: async () => ({ delegate: [{ to: "idle" }, { to: "busy" }, { to: "late" }] }),
    });
    router.register({
      id: "idle",
      description: "waits, and answers after the block",
      librarian: async () => {
        await wait(10);
        return { answer: "ok" };
      },
    });
    router.register({
      id: "busy",
      description: "computes, and waits again",
      librarian: async () => {
        await wait(5);
        block(300);
        await wait(5);
        return { answer: "done" };
      },
    });
    router.register({
      id: "late",
      description: "waits for longer",
      librarian: async () => {
        await wait(400);
        return { answer: "late" };
      },
    });
    const run = router.start("q");
    await run.response;

    const blocking = run.explain().hops.filter(({ blockedMs }) => blockedMs !== undefined);
    expect(blocking.map(({ to }) => to)).toEqual(["busy"]);
    expect(blocking[0]?.blockedMs).toBeGreaterThanOrEqual(300);
  });

  it("is not named where the application blocks it", async () => {
    const router = createRouter();
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    router.register({
      id: "idle",
      description: "waits",
      librarian: async () => {
        await opened;
        return { answer: "done" };
      },
    });
    const run = router.start("q");
    setTimeout(() => {
      block(300);
      open();
    }, 1);
    await run.response;

    expect(run.explain().hops[0]).not.toHaveProperty("blockedMs");
  });

  it("is not named where it only waits", async () => {
    const router = createRouter();
    router.register({
      id: "idle",
      description: "waits",
      librarian: async () => {
        await new Promise((resolve) => setTimeout(resolve, 250));
        return { answer: "done" };
      },
    });
    const run = router.start("q");
    await run.response;

    expect(run.explain().hops[0]).not.toHaveProperty("blockedMs");
  });
});

describe("a librarian whose start fails", () => {
  it("is down, and up once a later health check could start it", async () => {
    let isThere = false;
    const router = createRouter();
    router.register({
      id: "needy",
      description: "needs a database",
      librarian: async () => ({ answer: "ok" }),
      start: async () => {
        if (!isThere) throw new Error("no database");
      },
    });
    expect(await router.health()).toEqual({ needy: { status: "unknown" } });
    await expect(router.open()).rejects.toThrow('Librarian "needy" did not start.');

    const before = await router.health();
    isThere = true;
    const after = await router.health();

    expect(before).toEqual({
      needy: { status: "down", message: "It did not start.", hasNotStarted: true },
    });
    expect(after).toEqual({ needy: { status: "unknown" } });
  });

  it("is named where its time was up", async () => {
    const router = createRouter();
    router.register({
      id: "slow",
      description: "starts for ever",
      librarian: async () => ({ answer: "ok" }),
      start: () => new Promise(() => undefined),
    });

    await expect(router.open({ timeoutMs: 10 })).rejects.toMatchObject({
      errors: [{ librarian: "slow", message: 'Librarian "slow" did not start in time.' }],
    });
  });
});

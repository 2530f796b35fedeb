import type { MeshEvent, MeshLibrarian } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, gate, meshOf, never, passesTo, throws, untilAborted, watched } from "./mesh.js";

/** Waits until everything that can happen without the outside world has happened. */
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("rule 4, the caller's abort", () => {
  it("reaches every librarian at once, however it was called", async () => {
    const b = watched(untilAborted);
    const c = watched(untilAborted);
    const asked = watched(untilAborted);
    const asking: MeshLibrarian = async (query, context) =>
      await context.ask(query, { to: "asked" });
    const caller = new AbortController();

    const response = meshOf({
      a: passesTo("b", "mid", "asking"),
      b: b.librarian,
      mid: passesTo("c"),
      c: c.librarian,
      asking,
      asked: asked.librarian,
    }).ask("q", { signal: caller.signal });
    await settle();
    caller.abort();

    const signals = [b, c, asked].map(({ contexts }) => contexts[0]?.signal);
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true, true]);
    for (const signal of signals) {
      expect(signal?.reason).toBeInstanceOf(MeshError);
      expect(signal?.reason).toMatchObject({ code: "TIMEOUT", reason: "cancelled" });
    }
    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });

  it("starts no other librarian", async () => {
    const later = watched(answers("later"));
    const caller = new AbortController();

    const response = meshOf(
      { a: passesTo("never", "later"), never, later: later.librarian },
      { fanoutConcurrency: 1 },
    ).ask("q", { signal: caller.signal });
    await settle();
    caller.abort();
    await response;
    await settle();

    expect(later.queries).toEqual([]);
  });

  it("leaves what there is: the branches that have answered", async () => {
    const caller = new AbortController();

    const response = meshOf({ a: passesTo("b", "never"), b: answers("B"), never }).ask("q", {
      signal: caller.signal,
    });
    await settle();
    caller.abort();

    expect(await response).toMatchObject({
      answer: "B",
      partial: true,
      metadata: { missing: [{ to: "never", code: "TIMEOUT", reason: "cancelled" }] },
    });
  });

  it("after the response changes nothing", async () => {
    const caller = new AbortController();
    const { librarian, contexts } = watched(answers("A"));

    const response = await meshOf({ librarian }).ask("q", { signal: caller.signal });
    caller.abort();

    expect(response).toEqual({ answer: "A" });
    expect(contexts[0]?.signal?.aborted).toBe(false);
  });

  it("of one run leaves the others alone", async () => {
    const caller = new AbortController();
    const open = gate();
    const waiting: MeshLibrarian = async () => {
      await open.opened;
      return { answer: "A" };
    };
    const router = meshOf({ waiting });

    const cancelled = router.ask("q", { signal: caller.signal });
    const other = router.ask("q");
    caller.abort();
    open.open();

    expect((await cancelled).error?.code).toBe("TIMEOUT");
    expect(await other).toEqual({ answer: "A" });
  });
});

describe("rule 4, run.cancel", () => {
  it("ends the run at once: TIMEOUT, reason cancelled", async () => {
    const run = meshOf({ never }).start("q");
    await settle();

    run.cancel("the user left");

    expect((await run.response).error).toMatchObject({
      code: "TIMEOUT",
      recoverable: true,
      details: { reason: "cancelled" },
    });
    expect(run.explain().stopReason).toBe("cancelled");
  });

  it("can be called again, and after the end, without effect", async () => {
    const run = meshOf({ a: answers("A") }).start("q");
    const response = await run.response;

    run.cancel();
    run.cancel("again");
    await settle();

    expect(response).toEqual({ answer: "A" });
    expect(run.explain().stopReason).toBe("answered");
  });

  it("is of use to the librarian: it may answer before the router looks", async () => {
    const cooperative = watched(untilAborted);
    const run = meshOf({ a: cooperative.librarian }).start("q");
    await settle();

    run.cancel();
    await run.settled;

    expect(run.explain().hops[0]).toMatchObject({ outcome: "cancelled" });
    expect(run.explain().hops[0]?.abandoned).toBeUndefined();
  });
});

describe("rule 4, a librarian that ignores its signal", () => {
  /** A run that was cancelled while its librarian ignores its signal. */
  async function abandoned() {
    const { opened, open } = gate();
    const stubborn: MeshLibrarian = async () => {
      await opened;
      return { answer: "too late" };
    };
    const run = meshOf({ a: passesTo("b", "stubborn"), b: answers("B"), stubborn }).start("q");
    await settle();
    run.cancel();
    const response = await run.response;
    await settle();
    return { run, response, open };
  }

  it("is not waited for, and is named in events and record", async () => {
    const { run, response } = await abandoned();

    expect(response).toMatchObject({ answer: "B", partial: true });
    const { hops, unsettled } = run.explain();
    expect(unsettled).toBe(1);
    expect(hops.find(({ to }) => to === "stubborn")).toMatchObject({ abandoned: true });
    expect(hops.filter((hop) => hop.abandoned).map(({ to }) => to)).toEqual(["stubborn"]);
  });

  it("has its late result dropped, and counted", async () => {
    const { run, response, open } = await abandoned();
    const before = structuredClone(response.answer);

    open();
    await run.settled;

    expect((await run.response).answer).toBe(before);
    expect(JSON.stringify(await run.response)).not.toContain("too late");
    expect(run.explain().unsettled).toBe(0);
    expect(run.explain().hops.find(({ to }) => to === "stubborn")?.lateMs).toBeGreaterThanOrEqual(
      0,
    );
  });

  it("keeps run.settled waiting until it has stopped", async () => {
    const { run, open } = await abandoned();
    let isSettled = false;
    void run.settled.then(() => {
      isSettled = true;
    });

    await settle();
    expect(isSettled).toBe(false);

    open();
    await settle();
    expect(isSettled).toBe(true);
  });

  it("breaks nothing when it rejects in the end", async () => {
    const { opened, open } = gate();
    const stubborn: MeshLibrarian = async () => {
      await opened;
      return throws("");
    };
    const run = meshOf({ stubborn }).start("q");
    await settle();
    run.cancel();
    await run.response;

    open();
    await run.settled;

    expect(run.explain().unsettled).toBe(0);
  });

  it("gives its place in a fan-out to the next", async () => {
    const response = await meshOf(
      {
        a: passesTo("stubborn", "next"),
        stubborn: { librarian: never, timeoutMs: 1 },
        next: answers("next"),
      },
      { fanoutConcurrency: 1 },
    ).ask("q");

    expect(response.answer).toBe("next");
  });

  it("is reported by hop:abandoned, then hop:late, then run:settled", async () => {
    const { opened, open } = gate();
    const stubborn: MeshLibrarian = async () => {
      await opened;
      return { answer: "late" };
    };
    const router = meshOf({ stubborn });
    const observed: MeshEvent[] = [];
    for (const name of ["hop:end", "run:end", "hop:abandoned", "hop:late", "run:settled"] as const)
      router.on(name, (event) => void observed.push(event));

    const caller = new AbortController();
    const response = router.ask("q", { signal: caller.signal });
    await settle();
    caller.abort();
    await response;
    await settle();
    open();
    await settle();

    expect(observed.map(({ type }) => type).sort()).toEqual(
      ["hop:end", "run:end", "hop:abandoned", "hop:late", "run:settled"].sort(),
    );
    const places = Object.fromEntries(observed.map(({ type }, index) => [type, index]));
    expect(places["hop:end"]).toBeLessThan(places["hop:abandoned"] ?? -1);
    expect(places["hop:abandoned"]).toBeLessThan(places["hop:late"] ?? -1);
    expect(places["hop:late"]).toBeLessThan(places["run:settled"] ?? -1);
    expect(observed.find(({ type }) => type === "run:end")).toMatchObject({ unsettled: 1 });
    expect(observed.find(({ type }) => type === "hop:abandoned")).toMatchObject({
      to: "stubborn",
      reason: "cancelled",
    });
  });
});

describe("rule 4, run.settled", () => {
  it("resolves with a run that has stopped all of its librarians", async () => {
    const run = meshOf({ a: passesTo("b"), b: answers("B") }).start("q");

    await run.settled;

    expect((await run.response).answer).toBe("B");
  });

  it("does not resolve before the response is there", async () => {
    const { opened, open } = gate();
    const waiting: MeshLibrarian = async () => {
      await opened;
      return { answer: "A" };
    };
    const run = meshOf({ waiting }).start("q");
    const order: string[] = [];
    const all = [
      run.response.then(() => order.push("response")),
      run.settled.then(() => order.push("settled")),
    ];

    open();
    await Promise.all(all);

    expect(order.sort()).toEqual(["response", "settled"]);
    expect(run.explain().stopReason).toBe("answered");
  });
});

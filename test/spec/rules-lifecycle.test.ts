import { type Librarian, type LibrarianDefinition, MeshError } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { answers, gate, meshOf, never, passesTo, untilAborted, watched } from "./mesh.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A librarian that counts its starts and closes. */
function counted(rest: Pick<Partial<LibrarianDefinition>, "librarian" | "health"> = {}) {
  const start = vi.fn<NonNullable<LibrarianDefinition["start"]>>(async () => {});
  const close = vi.fn<NonNullable<LibrarianDefinition["close"]>>(async () => {});
  return { librarian: answers("A"), ...rest, start, close };
}

describe("start", () => {
  it("is called once, before the first hop, and not when the librarian is registered", async () => {
    const a = counted();
    const router = meshOf({ a });
    expect(a.start).not.toHaveBeenCalled();

    await router.ask("q");
    await router.ask("q");

    expect(a.start).toHaveBeenCalledTimes(1);
    expect(a.start).toHaveBeenCalledWith(expect.any(AbortSignal));
  });

  it("is called once for hops that come together: they wait for the same attempt", async () => {
    const { opened, open } = gate();
    const spy = watched(answers("A"));
    const a = counted({ librarian: spy.librarian });
    a.start.mockImplementation(() => opened);
    const router = meshOf({ a });

    const responses = [router.ask("1"), router.ask("2"), router.open()];
    await vi.advanceTimersByTimeAsync(10);
    expect(spy.queries).toEqual([]);
    open();
    await Promise.all(responses);

    expect(a.start).toHaveBeenCalledTimes(1);
    expect(spy.queries.toSorted()).toEqual(["1", "2"]);
  });

  it("is called once by open, for all side by side", async () => {
    const one = gate();
    const two = gate();
    const a = counted();
    const b = counted();
    a.start.mockImplementation(async () => {
      one.open();
      await two.opened;
    });
    b.start.mockImplementation(async () => {
      two.open();
      await one.opened;
    });
    const router = meshOf({ a, b });

    await router.open();
    await router.open();
    await router.ask("q");

    expect(a.start).toHaveBeenCalledTimes(1);
    expect(b.start).toHaveBeenCalledTimes(1);
  });

  it("that fails makes the hop SERVICE_UNAVAILABLE, does not repeat the cause, and is tried again", async () => {
    const a = counted();
    a.start.mockRejectedValueOnce(new Error("password=hunter2"));
    const router = meshOf({ a });

    const first = await router.ask("q");
    const second = await router.ask("q");

    expect(first.error).toMatchObject({ code: "SERVICE_UNAVAILABLE", librarian: "a" });
    expect(JSON.stringify(first)).not.toContain("hunter2");
    expect(second.answer).toBe("A");
    expect(a.start).toHaveBeenCalledTimes(2);
  });

  it("that throws at once is one that failed", async () => {
    const a = counted();
    a.start.mockImplementationOnce(() => {
      throw new Error("boom");
    });

    expect((await meshOf({ a }).ask("q")).error?.code).toBe("SERVICE_UNAVAILABLE");
  });

  it("that fails in open is reported, and the others have started", async () => {
    const a = counted();
    const b = counted();
    a.start.mockRejectedValue(new Error("boom"));
    const router = meshOf({ a, b });

    const failure: unknown = await router.open().catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(AggregateError);
    expect((failure as AggregateError).errors).toMatchObject([
      { code: "SERVICE_UNAVAILABLE", librarian: "a" },
    ]);
    expect((await router.ask("q", { to: "b" })).answer).toBe("A");
    expect(b.start).toHaveBeenCalledTimes(1);
  });

  it("that never ends does not hold open beyond its limit, 30 s by default", async () => {
    const a = counted();
    a.start.mockImplementation(() => new Promise(() => {}));
    const router = meshOf({ a });
    const short = vi.fn();
    const long = vi.fn();

    void router.open({ timeoutMs: 100 }).catch(short);
    void router.open().catch(long);
    await vi.advanceTimersByTimeAsync(100);
    expect(short).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(29_899);
    expect(long).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(long).toHaveBeenCalledTimes(1);
  });

  it("is not waited for by open when its caller aborts", async () => {
    const a = counted();
    a.start.mockImplementation(() => new Promise(() => {}));
    const caller = new AbortController();

    const opening = meshOf({ a }).open({ signal: caller.signal });
    caller.abort();

    await expect(opening).rejects.toBeInstanceOf(AggregateError);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("router.close", () => {
  it("closes each librarian that was started, once, and no other", async () => {
    const a = counted();
    const b = counted();
    const router = meshOf({ a, b });
    await router.ask("q", { to: "a" });

    await router.close();
    await router.close();

    expect(a.close).toHaveBeenCalledTimes(1);
    expect(a.close).toHaveBeenCalledWith(expect.any(AbortSignal));
    expect(b.close).not.toHaveBeenCalled();
  });

  it("cancels every run, waits for its librarians, and closes them after that", async () => {
    const order: string[] = [];
    const a = counted({
      librarian: async (query, context) => {
        await untilAborted(query, context).catch(() => order.push("librarian stopped"));
        return { answer: "late" };
      },
    });
    a.close.mockImplementation(async () => {
      order.push("closed");
    });
    const router = meshOf({ a });
    const response = router.ask("q");
    await vi.advanceTimersByTimeAsync(1);

    await router.close();

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
    expect(order).toEqual(["librarian stopped", "closed"]);
  });

  it("makes later queries SERVICE_UNAVAILABLE, and calls no librarian", async () => {
    const a = watched(answers("A"));
    const router = meshOf({ a: a.librarian });

    await router.close();

    expect((await router.ask("q")).error?.code).toBe("SERVICE_UNAVAILABLE");
    expect((await router.start("q").response).error?.code).toBe("SERVICE_UNAVAILABLE");
    expect(a.queries).toEqual([]);
  });

  it("never rejects, whatever a librarian does when it is closed", async () => {
    const throwing = counted();
    const atOnce = counted();
    const hanging = counted();
    throwing.close.mockRejectedValue(new Error("boom"));
    atOnce.close.mockImplementation(() => {
      throw new Error("boom");
    });
    hanging.close.mockImplementation(() => new Promise(() => {}));
    const router = meshOf({ throwing, "at-once": atOnce, hanging });
    await router.open();
    const closed = vi.fn();

    void router.close().then(closed);
    await vi.advanceTimersByTimeAsync(5_000);

    expect(closed).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not wait for a librarian that ignores its signal beyond the limit", async () => {
    const router = meshOf({ never });
    const response = router.ask("q");
    const closed = vi.fn();

    void router.close({ timeoutMs: 100 }).then(closed);
    await vi.advanceTimersByTimeAsync(200);

    expect(closed).toHaveBeenCalledTimes(1);
    expect((await response).error?.code).toBe("TIMEOUT");
  });
});

describe("router.unregister", () => {
  it("removes a librarian and closes it; hops that have begun continue", async () => {
    const { opened, open } = gate();
    const slow: Librarian = async () => {
      await opened;
      return { answer: "slow" };
    };
    const a = counted({ librarian: slow });
    const router = meshOf({ a, b: answers("B") });
    const running = router.ask("q");
    await vi.advanceTimersByTimeAsync(1);

    expect(router.unregister("a")).toBe(true);
    expect(router.unregister("a")).toBe(false);
    const after = await router.ask("q", { to: "a" });
    open();

    expect((await running).answer).toBe("slow");
    expect(after.error).toMatchObject({
      code: "NOT_FOUND",
      details: { reason: "unknown-librarian" },
    });
    await vi.advanceTimersByTimeAsync(1);
    expect(a.close).toHaveBeenCalledTimes(1);
    expect(router.list().map(({ id }) => id)).toEqual(["b"]);
  });

  it("gives its id free for another", async () => {
    const router = meshOf({ a: answers("first") });

    router.unregister("a");
    router.register({ id: "a", description: "another", librarian: answers("second") });

    expect((await router.ask("q")).answer).toBe("second");
  });
});

describe("router.health", () => {
  it("reports the health of each librarian, side by side, and never rejects", async () => {
    const report = meshOf({
      up: { librarian: answers("A"), health: async () => ({ status: "up" }) },
      slow: {
        librarian: answers("A"),
        health: async () => ({ status: "degraded", message: "One of two mirrors." }),
      },
      down: { librarian: answers("A"), health: async () => ({ status: "down" }) },
      silent: answers("A"),
      throwing: {
        librarian: answers("A"),
        health: () => {
          throw new Error("password=hunter2");
        },
      },
      rejecting: {
        librarian: answers("A"),
        health: () => Promise.reject(new Error("password=hunter2")),
      },
      garbage: { librarian: answers("A"), health: async () => ({ status: "fine" }) as never },
      nothing: { librarian: answers("A"), health: async () => undefined as never },
      hanging: { librarian: answers("A"), health: () => new Promise(() => {}) },
    }).health();
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await report).toMatchObject({
      up: { status: "up" },
      slow: { status: "degraded", message: "One of two mirrors." },
      down: { status: "down" },
      silent: { status: "unknown" },
      throwing: { status: "down" },
      rejecting: { status: "down" },
      garbage: { status: "down" },
      nothing: { status: "down" },
      hanging: { status: "down" },
    });
    expect(JSON.stringify(await report)).not.toContain("hunter2");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("aborts a health check when its time is up", async () => {
    let signal: AbortSignal | undefined;
    const health = (given: AbortSignal) => {
      signal = given;
      return new Promise<never>(() => {});
    };

    const report = meshOf({ a: { librarian: answers("A"), health } }).health({ timeoutMs: 50 });
    await vi.advanceTimersByTimeAsync(50);
    await report;

    expect(signal?.aborted).toBe(true);
    expect(signal?.reason).toBeInstanceOf(MeshError);
  });

  it("asks no librarian a query and starts none", async () => {
    const spy = watched(passesTo("a"));
    const a = counted({ librarian: spy.librarian, health: async () => ({ status: "up" }) });

    await meshOf({ a }).health();

    expect(spy.queries).toEqual([]);
    expect(a.start).not.toHaveBeenCalled();
  });
});

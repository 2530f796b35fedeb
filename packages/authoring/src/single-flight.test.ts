import { describe, expect, it, vi } from "vitest";
import { createMutex } from "./mutex.js";
import { type Flight, singleFlight } from "./single-flight.js";

function manual() {
  const flights: (Flight & { resolve(value: string): void; reject(thrown: unknown): void })[] = [];
  const join = singleFlight(
    (flight) =>
      new Promise<string>((resolve, reject) => {
        flights.push({ ...flight, resolve, reject });
      }),
  );
  return { flights, join };
}

describe("singleFlight", () => {
  it("gives all callers who come meanwhile one result, and then begins anew", async () => {
    const { flights, join } = manual();
    const joined = [join(), join()];
    await Promise.resolve();
    flights[0]?.resolve("one");

    expect(await Promise.all(joined)).toEqual(["one", "one"]);
    const next = join();
    await vi.waitUntil(() => flights.length === 2, 20_000);
    flights[1]?.resolve("two");
    expect(await next).toBe("two");
  });

  it("lets a caller leave alone, and stops the work with the last one", async () => {
    const { flights, join } = manual();
    const [a, b] = [new AbortController(), new AbortController()];
    const left = expect(join({ signal: a.signal })).rejects.toMatchObject({ code: "TIMEOUT" });
    const last = expect(join({ signal: b.signal })).rejects.toMatchObject({ code: "TIMEOUT" });
    await Promise.resolve();
    a.abort();
    await left;
    expect(flights[0]?.signal.aborted).toBe(false);
    b.abort();
    await last;

    expect(flights[0]?.signal.aborted).toBe(true);
  });

  it("keeps no failure, and reports progress to those who wait", async () => {
    const { flights, join } = manual();
    const report = vi.fn();
    const failed = expect(join({ report })).rejects.toThrow("broken");
    await Promise.resolve();
    flights[0]?.report("half");
    flights[0]?.reject(new Error("broken"));
    await failed;
    flights[0]?.report("late");

    expect(report.mock.calls).toEqual([["half"]]);
    void join();
    await vi.waitUntil(() => flights.length === 2, 20_000);
  });

  it("begins nothing for a caller who has left before", async () => {
    const { flights, join } = manual();

    await expect(join({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(flights).toEqual([]);
  });
});

describe("createMutex", () => {
  it("does one thing at a time, in order, also after a failure", async () => {
    const mutex = createMutex();
    const log: string[] = [];
    const work = (name: string) => async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
      if (name === "b") throw new Error("b failed");
      return name;
    };
    const results = await Promise.allSettled(
      ["a", "b", "c"].map((name) => mutex.runExclusive(work(name))),
    );

    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("skips what is given up before its turn, and lets no one overtake", async () => {
    const mutex = createMutex();
    let finish = () => {};
    const first = mutex.runExclusive(() => new Promise<void>((resolve) => (finish = resolve)));
    const controller = new AbortController();
    const skipped = vi.fn();
    const given = mutex.runExclusive(skipped, controller.signal);
    const third = vi.fn(async () => {});
    const after = mutex.runExclusive(third);
    controller.abort();
    await expect(given).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(third).not.toHaveBeenCalled();
    finish();
    await Promise.all([first, after]);

    expect(skipped).not.toHaveBeenCalled();
    expect(third).toHaveBeenCalledOnce();
  });
});

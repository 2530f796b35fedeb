import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { createTurns } from "./turns.js";

describe("createTurns", () => {
  it("does one thing at a time, in order, whether it ends well or badly", async () => {
    const turns = createTurns();
    const told: string[] = [];
    const work = (name: string) => async () => {
      told.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      told.push(`${name} ends`);
      if (name === "b") throw new Error("b fails");
      return name;
    };

    const results = await Promise.allSettled([
      turns.take(work("a")),
      turns.take(work("b")),
      turns.take(work("c")),
    ]);

    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(told).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
  });

  it("does not begin what was given up while it waited, and lets go of its signal", async () => {
    const turns = createTurns();
    let release = (): void => {};
    const first = turns.take(() => new Promise<void>((resolve) => (release = resolve)));
    const controller = new AbortController();
    let isBegun = false;
    const second = turns.take(async () => {
      isBegun = true;
    }, controller.signal);

    controller.abort("enough");

    await expect(second).rejects.toBe("enough");
    release();
    await first;
    expect(await turns.take(async () => "third")).toBe("third");
    expect(isBegun).toBe(false);
    expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  });

  it("lets go of the signal once the work is done", async () => {
    const { signal } = new AbortController();

    await createTurns().take(async () => 1, signal);

    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

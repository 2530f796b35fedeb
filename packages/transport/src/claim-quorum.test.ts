import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Claim, claimantOf, claimByCaller, encodeClaim } from "./claim.js";
import { type ClaimRegister, createQuorumClaims } from "./claim-quorum.js";

const running = (node: string): Claim => ({ state: "running", node });

/** A register whose answers take their time, in turns of the event loop, and that may be away. */
function createRegister(turns: () => number, isAway = false) {
  const entries = new Map<string, Uint8Array>();
  async function reach(): Promise<void> {
    for (let left = turns(); left > 0; left--) await Promise.resolve();
    if (isAway) throw new Error("It is away.");
  }
  const register: ClaimRegister = {
    async create(key, value) {
      await reach();
      const found = entries.get(key);
      if (found === undefined) entries.set(key, value);
      await reach();
      return found;
    },
    async update(key, value) {
      await reach();
      entries.set(key, value);
    },
    async read(key) {
      await reach();
      return entries.get(key);
    },
  };
  return { register, entries };
}

const immediate = () => 0;

describe("claims in several registers", () => {
  it("have one first claimant, whom all others find, whatever comes first and whichever register is away", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.option(fc.integer({ min: 0, max: 2 })),
        fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 50, maxLength: 50 }),
        async (claimants, away, delays) => {
          let next = 0;
          const turns = () => delays[next++ % delays.length] ?? 0;
          const registers = [0, 1, 2].map((at) => createRegister(turns, at === away).register);
          const values = Array.from({ length: claimants }, (_, at) =>
            encodeClaim(at === 0 ? claimByCaller : running(`process-${at}`)),
          );

          const outcomes = await Promise.allSettled(
            values.map((value) => createQuorumClaims(registers).create("key", value)),
          );

          const first = values.filter((_, at) => {
            const outcome = outcomes[at];
            return outcome?.status === "fulfilled" && outcome.value === undefined;
          });
          const found = outcomes.flatMap((outcome) =>
            outcome.status === "fulfilled" && outcome.value !== undefined
              ? [claimantOf(outcome.value)]
              : [],
          );
          expect(first.length).toBeLessThanOrEqual(1);
          expect(new Set([...first.map(claimantOf), ...found]).size).toBeLessThanOrEqual(1);
          // Two that have one register each cannot know which is first until the third is back.
          if (away === null || claimants === 1) expect(first).toHaveLength(1);
        },
      ),
    );
  });

  it("are kept and read while one register is away, or has lost its entries", async () => {
    const there = [createRegister(immediate), createRegister(immediate)] as const;
    const lost = createRegister(immediate);
    const away = createRegister(immediate, true);
    const [one, two] = [there[0].register, there[1].register];
    const whole = createQuorumClaims([one, two, lost.register]);
    const value = encodeClaim(running("process-1"));

    expect(await whole.create("key", value)).toBeUndefined();
    lost.entries.clear();

    expect(await whole.create("key", encodeClaim(claimByCaller))).toEqual(value);
    const done = encodeClaim({ state: "done", node: "process-1", reply: "so" });
    const without = createQuorumClaims([one, two, away.register]);
    await without.update("key", done);
    expect(await without.read("key")).toEqual(done);
    expect(await without.read("another")).toBeUndefined();
  });

  it("are an error while most registers are away, with the reason", async () => {
    const away = [1, 2].map(() => createRegister(immediate, true).register);
    const claims = createQuorumClaims([createRegister(immediate).register, ...away]);

    await expect(claims.create("key", encodeClaim(claimByCaller))).rejects.toThrow("It is away.");
    await expect(claims.read("key")).rejects.toThrow("It is away.");
    await expect(claims.update("key", encodeClaim(claimByCaller))).rejects.toThrow("It is away.");
  });

  it("stop asking a register again once the others have decided", async () => {
    let stopped = false;
    const slow: ClaimRegister = {
      ...createRegister(immediate).register,
      async create(_key, _value, isNeeded) {
        while (isNeeded()) await new Promise((resolve) => setImmediate(resolve));
        stopped = true;
        throw new Error("It is not needed.");
      },
    };
    const others = [1, 2].map(() => createRegister(immediate).register);

    const claimed = createQuorumClaims([slow, ...others]).create("key", encodeClaim(claimByCaller));

    expect(await claimed).toBeUndefined();
    await expect.poll(() => stopped).toBe(true);
  });
});

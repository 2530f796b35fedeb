import type { MeshLibrarian, Response } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { answers, fails, meshOf, type Part, watched } from "./mesh.js";

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A librarian that changes something, and what it was asked. */
function writer(response: Response = { answer: "paid" }, ms = 0) {
  const pay = watched(async () => {
    await wait(ms);
    return response;
  });
  return { writes: pay.queries, pay: { librarian: pay.librarian, effects: "write" } as const };
}

/** Asks the writer, and fails afterwards. */
const failsAfterWriting: MeshLibrarian = async (query, { ask }) => {
  await ask(query, { to: "pay" });
  return { error: { code: "SERVICE_UNAVAILABLE", message: "later" } };
};

const asksWriter: MeshLibrarian = async (query, { ask }) => ask(query, { to: "pay" });

describe("a librarian that changes something", () => {
  it.each<[string, Partial<Part>, Readonly<Record<string, Part>>]>([
    ["retry", { retry: { attempts: 3, minDelayMs: 1 } }, {}],
    ["fallback", { fallback: ["other"] }, { other: asksWriter }],
  ])("is not called again by %s of one above it", async (_how, policy, others) => {
    const { writes, pay } = writer();
    const plan = { librarian: failsAfterWriting, ...policy };

    const { error, metadata } = await meshOf({ plan, pay, ...others }).ask("q");

    expect(writes).toHaveLength(1);
    expect(error).toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      recoverable: false,
      suggestion: expect.stringContaining('"pay" may have changed something already'),
      details: { written: ["pay"] },
    });
    expect(metadata).toEqual({ written: ["pay"] });
  });

  it.each(["ask", "delegate"])("is called once below a hedge, by %s", async (how) => {
    const { writes, pay } = writer({ answer: "paid" }, 40);
    let calls = 0;
    const plan: MeshLibrarian = async (query, context) => {
      calls++;
      await wait(30);
      return how === "ask" ? asksWriter(query, context) : { delegate: { to: "pay" } };
    };

    const router = meshOf({ plan: { librarian: plan, hedge: { afterMs: 5 } }, pay });
    const run = router.start("q");
    const response = await run.response;
    await run.settled;

    expect(calls).toBe(2);
    expect(writes).toHaveLength(1);
    expect(response).toEqual({ answer: "paid", metadata: { written: ["pay"] } });
  });

  it("lets the call of a hedge that reaches it win, also when it fails", async () => {
    const { writes, pay } = writer({ error: { code: "DATA_SOURCE_ERROR", message: "half done" } });
    let calls = 0;
    const plan: MeshLibrarian = async (query, context) => {
      if (++calls === 1) {
        await wait(60);
        return { answer: "without a change" };
      }
      return asksWriter(query, context);
    };

    const router = meshOf({ plan: { librarian: plan, hedge: { afterMs: 5 } }, pay });
    const { error } = await router.ask("q");
    await wait(80);

    expect(error?.message).toBe("half done");
    expect(writes).toHaveLength(1);
  });

  it("is not called again by an equal call of one above it", async () => {
    const { writes, pay } = writer();
    const asks: MeshLibrarian = async (query, { ask }) => ask(query, { to: "plan" });
    const root: MeshLibrarian = async () => ({ delegate: [{ to: "x" }, { to: "y" }] });

    const { error } = await meshOf({ root, x: asks, y: asks, plan: failsAfterWriting, pay }).ask(
      "q",
    );

    expect(error?.code).toBe("SERVICE_UNAVAILABLE");
    expect(writes).toHaveLength(1);
  });

  it("is not forgotten where a call that waited for the work is left", async () => {
    const { writes, pay } = writer({ answer: "paid" }, 60);
    const attempts = { retry: { attempts: 3, minDelayMs: 1 } };
    const asks: Part = {
      ...attempts,
      librarian: async (query, { ask }) => ask(query, { to: "plan", timeoutMs: 20 }),
    };
    const root: MeshLibrarian = async () => ({ delegate: [{ to: "x" }, { to: "y" }] });

    const run = meshOf({ root, x: asks, y: asks, plan: asksWriter, pay }).start("q");
    await run.response;
    await run.settled;

    expect(writes).toHaveLength(1);
  });

  it("keeps the answer of one above it out of the cache", async () => {
    const { writes, pay } = writer();
    const kept: unknown[] = [];
    const store = { get: () => undefined, set: (...entry: unknown[]) => void kept.push(entry) };
    const router = meshOf({ plan: { librarian: asksWriter, cache: { store } }, pay });

    await router.ask("q");
    await router.ask("q");

    expect(kept).toEqual([]);
    expect(writes).toHaveLength(2);
  });

  it("does not keep a read from being repeated, nor a librarian that was refused", async () => {
    const { writes, pay } = writer();
    const plan = { librarian: fails("SERVICE_UNAVAILABLE"), fallback: ["other"] };

    const { answer } = await meshOf({ plan, other: asksWriter, pay }).ask("q");

    expect(answer).toBe("paid");
    expect(writes).toHaveLength(1);
  });

  it("is named in the response and marked in the record of the run", async () => {
    const { pay } = writer();
    const run = meshOf({ plan: asksWriter, pay }).start("q");

    expect((await run.response).metadata?.written).toEqual(["pay"]);
    expect(run.explain().hops.map(({ to, effects }) => [to, effects])).toEqual([
      ["plan", undefined],
      ["pay", "write"],
    ]);
    expect((await meshOf({ a: answers("A") }).ask("q")).metadata).toBeUndefined();
  });
});

describe("router.check()", () => {
  const { pay } = writer();
  const read = { librarian: answers("R"), delegatesTo: [] };

  it("warns of what would repeat a librarian that may reach a change", () => {
    const { ok, warnings } = meshOf({
      any: { librarian: asksWriter, retry: true },
      declared: {
        librarian: asksWriter,
        hedge: true,
        fallback: ["read"],
        delegatesTo: ["between"],
      },
      between: { librarian: asksWriter, delegatesTo: ["pay"] },
      safe: { librarian: asksWriter, retry: true, delegatesTo: ["read"] },
      read,
      pay: { ...pay, retry: true },
    }).check();

    expect(ok).toBe(true);
    expect(warnings.map(({ kind, ids }) => [kind, ids])).toEqual([
      ["write-not-repeated", ["any", "pay"]],
      ["write-not-repeated", ["declared", "pay"]],
    ]);
    expect(warnings[1]?.message).toContain("hedge, fallback of");
  });

  it("warns of nothing where nothing is changed", () => {
    expect(meshOf({ a: { librarian: answers("A"), retry: true }, read }).check().warnings).toEqual(
      [],
    );
  });
});

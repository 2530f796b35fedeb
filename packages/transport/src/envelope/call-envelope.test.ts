import {
  type AskOptions,
  type Context,
  createRouter,
  type Librarian,
  type PathEntry,
  type Router,
  type RouterOptions,
} from "@constellation/core";
import { scriptedAI, testContext } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { toAskOptions } from "./ask-options.js";
import { decodeCall } from "./call-envelope.js";
import { openCall } from "./outgoing-call.js";
import type { OutgoingCallOptions } from "./outgoing-options.js";

const entry = (mesh: string, id: string, isBridge?: true): PathEntry => ({
  mesh,
  id,
  ...(isBridge && { isBridge }),
});

/** Asks a mesh "b" with one librarian "docs", and gives the response and how often it was called. */
async function askFrom(path: readonly PathEntry[], options: object = {}) {
  let calls = 0;
  const librarian: Librarian = async () => {
    calls++;
    return { answer: "so" };
  };
  const router = createRouter({ name: "b", ...options });
  router.register({ id: "docs", description: "answers", librarian });
  return { response: await router.ask("q", { caller: { path } }), calls };
}

describe("a call from another mesh", () => {
  it("is a loop when it comes back to a librarian of its path, which is not called", async () => {
    const { response, calls } = await askFrom([entry("a", "front"), entry("b", "docs")]);

    expect(response.error).toMatchObject({
      code: "LOOP_DETECTED",
      librarian: "docs",
      details: { path: ["a/front", "b/docs", "b/docs"] },
    });
    expect(calls).toBe(0);
  });

  it("is not a loop when another mesh has a librarian of the same id", async () => {
    expect((await askFrom([entry("a", "docs")])).response.answer).toBe("so");
  });

  it("counts towards the depth, without the librarians that only forward", async () => {
    const path = [entry("a", "front"), entry("a", "to-c", true), entry("c", "front")];

    expect((await askFrom(path, { maxDepth: 3 })).response.answer).toBe("so");
    expect((await askFrom(path, { maxDepth: 2 })).response.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "depth", maxDepth: 2 },
    });
  });
});

/** Asks a router whose librarian runs `work` with its context, and gives what that returned. */
async function inHop<T>(
  work: (context: Context) => T | Promise<T>,
  routerOptions: RouterOptions = {},
  askOptions: AskOptions = {},
): Promise<T> {
  const results: T[] = [];
  const router = createRouter({ name: "b", timeoutMs: 10_000, ...routerOptions });
  router.register({
    id: "bridge",
    description: "asks another mesh",
    librarian: async (_query, context) => {
      results.push(await work(context));
      return { answer: "so" };
    },
  });
  await router.ask("q", askOptions);
  return results[0] as T; // the librarian was called
}

describe("openCall", () => {
  it("carries the whole path, its depth, less time than is left, and names call and run", async () => {
    const caller = { path: [entry("a", "front")], depth: 2, runId: "root" };
    const envelope = await inHop((context) => openCall(context).envelope(), {}, { caller });

    expect(envelope).toEqual({
      v: 1,
      path: [entry("a", "front"), entry("b", "bridge", true)],
      depth: 2,
      maxDepth: 5,
      remainingMs: expect.any(Number),
      hopsLeft: 32,
      requestId: expect.stringMatching(/^[\w-]{16,64}$/),
      runId: "root",
    });
    const { remainingMs } = decodeCall(envelope).caller;
    expect(remainingMs).toBeLessThanOrEqual(9_750);
    expect(remainingMs).toBeGreaterThan(8_000);
  });

  it("carries metadata that is data, or the keys it should", async () => {
    const metadata = { alert: { name: "x" }, facts: [1], call: () => 1 };
    const carried = (options: OutgoingCallOptions) =>
      inHop((context) => openCall(context, options).envelope()?.metadata, {}, { metadata });

    expect(await carried({})).toEqual({ alert: { name: "x" }, facts: [1] });
    expect(await carried({ forwardMetadata: ["facts", "other"] })).toEqual({ facts: [1] });
    expect(await carried({ forwardMetadata: "none" })).toBeUndefined();
  });

  it("carries the thread where it carries the user, with as many of its last turns as there is room for", async () => {
    const turn = (at: number) => ({
      ...{ runId: `r-${at}`, query: "Why?", answer: "x".repeat(20_000), librarians: ["docs"], at },
    });
    const thread = { id: "t-1", turns: [1, 2, 3, 4].map(turn) };
    const caller = { path: [], thread };
    const carried = (options: OutgoingCallOptions) =>
      inHop((context) => openCall(context, options).envelope(), {}, { caller });

    const envelope = await carried({ sendUser: true });
    expect(envelope?.thread).toEqual({ id: "t-1", turns: [2, 3, 4].map(turn) });
    expect(decodeCall(envelope).thread).toEqual(envelope?.thread);
    expect((await carried({}))?.thread).toBeUndefined();
  });

  it("carries no secret of the librarian that calls, not even by its key", async () => {
    const metadata = { token: "s3cret", alert: 1 };
    const carried = (options: OutgoingCallOptions) =>
      inHop(
        (context) => {
          expect(context.metadata?.token).toBe("s3cret");
          return openCall(context, options).envelope()?.metadata;
        },
        { secrets: { token: ["bridge"] } },
        { metadata },
      );

    expect(await carried({})).toEqual({ alert: 1 });
    expect(await carried({ forwardMetadata: ["token", "alert"] })).toEqual({ alert: 1 });
  });

  it("refuses metadata that is too large, and reserves nothing then", async () => {
    const metadata = { blob: "x".repeat(300_000) };
    const hops = await inHop(
      (context) => {
        const call = openCall(context);
        expect(() => call.envelope()).toThrow(/maximum is 262144/);
        return openCall(context, { forwardMetadata: "none" }).envelope()?.hopsLeft;
      },
      { maxHops: 21 },
      { metadata },
    );
    expect(hops).toBe(10);
  });

  it("carries the user only where it should", async () => {
    const user = { id: "ada" };
    const carried = (options: OutgoingCallOptions) =>
      inHop((context) => openCall(context, options).envelope()?.user, {}, { user });

    expect(await carried({})).toBeUndefined();
    expect(await carried({ sendUser: true })).toEqual(user);
  });

  it("never gives calls in parallel more hops, tokens and money than are left", async () => {
    const envelopes = await inHop(
      (context) => Array.from({ length: 16 }, () => openCall(context).envelope()),
      { maxHops: 21, budget: { tokens: 1_000, costUsd: 1 } },
    );
    const sum = (amounts: readonly (number | undefined)[]) =>
      amounts.reduce<number>((total, amount) => total + (amount ?? Number.NaN), 0);

    expect(sum(envelopes.map((each) => each?.hopsLeft))).toBe(20);
    expect(sum(envelopes.map((each) => each?.budget?.tokens))).toBeLessThanOrEqual(1_000);
    expect(sum(envelopes.map((each) => each?.budget?.costUsd))).toBeLessThanOrEqual(1);
  });

  it("gets back what was not used, and nothing where there is no reply", async () => {
    const left = (spent: object | undefined) =>
      inHop(
        (context) => {
          const call = openCall(context);
          call.envelope();
          call.end(spent && { v: 1, report: { run: { mesh: "c" }, spent, unsettled: [] } });
          const { hopsLeft, budget } = openCall(context).envelope() ?? {};
          return { hops: hopsLeft, tokens: budget?.tokens };
        },
        { maxHops: 41, budget: { tokens: 1_000 } },
      );

    expect(await left({ hops: 4, tokens: 100 })).toEqual({ hops: 18, tokens: 450 });
    expect(await left({ hops: 0 })).toEqual({ hops: 20, tokens: 250 });
    expect(await left({ hops: 1e9, tokens: 1e9 })).toEqual({ hops: 10, tokens: 250 });
    expect(await left(undefined)).toEqual({ hops: 10, tokens: 250 });
  });

  it("leases by request to the same librarian elsewhere, and takes back what was not used", async () => {
    const options = { isSameLibrarian: true };
    const left = await inHop(
      async (context) => {
        const call = openCall(context, options);
        const envelope = call.envelope();
        const granted = await call.ledger()?.leaseHops(5);
        call.end({ v: 1, report: { run: {}, spent: { hops: 3 }, unsettled: [] } });
        const rest = openCall(context, options);
        rest.envelope();
        return [envelope?.hopsLeft, envelope?.lease, granted, await rest.ledger()?.leaseHops(99)];
      },
      { maxHops: 10 },
    );

    // Its own hop is one of the ten; of six with that three were used.
    expect(left).toEqual([1, true, { hops: 5, maxHops: 10 }, { hops: 7, maxHops: 10 }]);
  });

  it("counts all that a lost process leased as used", async () => {
    const rest = await inHop(
      async (context) => {
        const call = openCall(context, { isSameLibrarian: true });
        call.envelope();
        await call.ledger()?.leaseHops(3);
        call.resent();
        call.end({ v: 1, report: { run: {}, spent: { hops: 1 }, unsettled: [] } });
        return call
          .ledger()
          ?.leaseHops(1)
          .catch(({ reason }: { reason: string }) => reason);
      },
      { maxHops: 10 },
    );
    const spent = await inHop(
      async (context) => {
        const call = openCall(context, { isSameLibrarian: true });
        call.envelope();
        await call.ledger()?.leaseHops(3);
        call.resent();
        call.end({ v: 1, report: { run: {}, spent: { hops: 1 }, unsettled: [] } });
        const other = openCall(context, { isSameLibrarian: true });
        other.envelope();
        return other.ledger()?.leaseHops(99);
      },
      { maxHops: 10 },
    );

    expect(rest).toBe("cancelled"); // the call has ended
    expect(spent?.hops).toBe(5); // of ten: four of the lost one, and one of the other
  });

  it("is nothing for a context that no router made", () => {
    expect(openCall(testContext()).envelope()).toBeUndefined();
  });
});

describe("a run that another mesh calls", () => {
  it("uses no more hops and no more tokens than its caller gives it", async () => {
    const caller = { path: [], hopsLeft: 0, budget: { tokens: 0 } };
    const refused = await createRouterWith(async () => ({ answer: "so" })).ask("q", { caller });
    const router = createRouterWith(async (_query, context) => {
      await context?.ai?.complete({ prompt: "hello" });
      return { answer: "so" };
    });
    const { error } = await router.ask("q", {
      caller: { path: [], budget: { tokens: 0 } },
      budget: { tokens: 1_000_000 },
      ai: scriptedAI([{ text: "hello" }]),
    });

    expect(refused.error).toMatchObject({
      code: "MAX_DEPTH_EXCEEDED",
      details: { reason: "budget-exceeded", maxHops: 0 },
    });
    expect(error).toMatchObject({ details: { reason: "budget-exceeded" } });
  });

  it("counts a depth that the path does not show", async () => {
    const caller = { path: [entry("a", "front")], depth: 5 };
    const { error } = await createRouterWith(async () => ({ answer: "so" })).ask("q", { caller });

    expect(error).toMatchObject({ code: "MAX_DEPTH_EXCEEDED", details: { reason: "depth" } });
  });

  it.each([
    [{ path: 5 }, "caller.path"],
    [{ path: [], hopsLeft: -1 }, "caller.hopsLeft"],
    [{ path: [], budget: { tokens: "1" } }, "budget.tokens"],
    [{ path: [], user: {} }, 'unknown key "user"'],
  ])("refuses the option %j", (caller, problem) => {
    const router = createRouterWith(async () => ({ answer: "so" }));
    expect(() => router.ask("q", { caller: caller as never })).toThrow(problem);
  });
});

function createRouterWith(librarian: Librarian): Router {
  const router = createRouter({ name: "b" });
  router.register({ id: "docs", description: "answers", librarian });
  return router;
}

describe("decodeCall", () => {
  const valid = { v: 1, path: [{ mesh: "a", id: "front" }], remainingMs: 500 };

  it("reads an envelope, and ignores what it does not know", () => {
    expect(decodeCall({ ...valid, user: { id: "admin" }, runId: 5, more: 1 })).toEqual({
      caller: { path: [{ mesh: "a", id: "front" }], remainingMs: 500 },
      requestId: undefined,
      user: { id: "admin" },
      metadata: undefined,
      isLeased: false,
    });
  });

  it("reads the depth limit, and whether more may be leased", () => {
    const { caller, isLeased } = decodeCall({ ...valid, maxDepth: 3, lease: true });
    expect([caller.maxDepth, isLeased]).toEqual([3, true]);
  });

  it.each([
    [{ ...valid, v: 2 }, "v: expected 1"],
    [{ ...valid, path: undefined }, "path: expected an array"],
    [
      { ...valid, path: Array.from({ length: 33 }, () => valid.path[0]) },
      "path: expected an array",
    ],
    [{ ...valid, path: [{ mesh: "a" }] }, "path[0].id"],
    [{ ...valid, path: [{ mesh: 5, id: "x" }] }, "path[0].mesh"],
    [{ ...valid, remainingMs: -1 }, "remainingMs"],
    [{ ...valid, remainingMs: 1.5 }, "remainingMs"],
    [{ ...valid, remainingMs: 1e12 }, "remainingMs"],
    [{ ...valid, remainingMs: "5" }, "remainingMs"],
    [{ ...valid, remainingMs: null }, "remainingMs"],
    [{ ...valid, hopsLeft: -1 }, "hopsLeft"],
    [{ ...valid, depth: 0.5 }, "depth"],
    [{ ...valid, maxDepth: 0 }, "maxDepth"],
    [{ ...valid, budget: { tokens: -1 } }, "budget.tokens"],
    [{ ...valid, requestId: "short" }, "requestId"],
    [{ ...valid, user: "admin" }, "user"],
    [{ ...valid, user: { id: "x".repeat(5_000) } }, "user"],
    [{ ...valid, metadata: [] }, "metadata"],
    [{ ...valid, metadata: { x: "x".repeat(300_000) } }, "metadata"],
    [{ ...valid, need: ["x"] }, 'need: "x"'],
    [null, "expected an object"],
    ["garbage", "expected an object"],
  ])("refuses %j, naming the field", (envelope, problem) => {
    expect(() => decodeCall(envelope)).toThrow(
      expect.objectContaining({ code: "INVALID_QUERY", message: expect.stringContaining(problem) }),
    );
  });

  it("is TIMEOUT when the caller has no time left", () => {
    expect(() => decodeCall({ ...valid, remainingMs: 0 })).toThrow(
      expect.objectContaining({ code: "TIMEOUT" }),
    );
  });

  it("knows the fields that a caller needs", () => {
    expect(decodeCall({ ...valid, need: ["path", "budget"] }).caller.remainingMs).toBe(500);
  });

  it("takes no prototype, and no metadata that is too deep", () => {
    const metadata = JSON.parse('{"a":{"__proto__":{"x":1},"b":1},"constructor":2}') as object;
    expect(decodeCall({ ...valid, metadata }).metadata).toEqual({ a: { b: 1 } });

    let deep: object = {};
    for (let level = 0; level < 1_000; level++) deep = { deep };
    expect(() => decodeCall({ ...valid, metadata: deep })).toThrow(/levels/);
  });
});

describe("toAskOptions", () => {
  const call = decodeCall({ v: 1, path: [], user: { id: "ada" }, metadata: { a: 1 } });

  it("refuses a thread that is not one, naming the field, and leaves out what it does not know", () => {
    const turn = { runId: "r", query: "One?", librarians: ["docs"], at: 1 };
    const decode = (thread: unknown) => decodeCall({ v: 1, path: [], thread }).thread;

    expect(decode({ id: "t", turns: [{ ...turn, code: "TIMEOUT" }] })).toEqual({
      id: "t",
      turns: [turn],
    });
    expect(() => decode({ id: "t", turns: [turn, { ...turn, at: "now" }] })).toThrow(
      /thread\.turns\.1\.at: .*number/,
    );
    expect(() => decode({ id: "t", turns: [{ ...turn, query: "x".repeat(70_000) }] })).toThrow(
      /thread: expected at most 65536 characters/,
    );
  });

  it("takes the thread only from a trusted peer", () => {
    const thread = { id: "t-1", turns: [] };
    const carrying = decodeCall({ v: 1, path: [], thread });
    const threadFor = (id: string) =>
      toAskOptions(carrying, { user: { id }, trustedPeers: ["mesh-a"] }).caller?.thread;

    expect(threadFor("mesh-a")).toEqual(thread);
    expect(threadFor("mesh-b")).toBeUndefined();
  });

  it("takes the user only from a trusted peer", () => {
    const userFor = (id: string | undefined, trustedPeers: readonly string[]) =>
      toAskOptions(call, { user: id === undefined ? undefined : { id }, trustedPeers }).user?.id;

    expect(userFor("mesh-a", ["mesh-a"])).toBe("ada");
    expect(userFor("mesh-b", ["mesh-a"])).toBe("mesh-b");
    expect(userFor(undefined, ["mesh-a"])).toBeUndefined();
  });
});

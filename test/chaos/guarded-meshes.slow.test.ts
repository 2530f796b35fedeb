import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { type Router, validateResponse } from "@constellation/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import { type GuardedScenario, guarded, guardedMesh } from "./guarded-mesh.js";
import type { Witness } from "./random-mesh.js";
import { installVirtualClock, type VirtualClock } from "./virtual-clock.js";

const meshes = Number(process.env.CONSTELLATION_CHAOS_RUNS ?? 1_000);
const seed = Number(process.env.CONSTELLATION_CHAOS_SEED ?? 20_261_122);

describe("many runs at once, over random meshes with rights, limits and every guard", () => {
  let clock: VirtualClock;

  beforeAll(() => {
    clock = installVirtualClock();
  });
  afterAll(() => clock.uninstall());

  it("ends every run in time, calls no one that a rule forbids, and leaves nothing behind", {
    timeout: 600_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(guarded, (each) => play(each, clock)),
      { numRuns: meshes, seed, endOnFailure: false },
    );
  });

  it("does so with 2,000 runs at once", { timeout: 600_000 }, async () => {
    const crowd = fc.tuple(guarded, fc.integer({ min: 10, max: 300 })).map(([each, spreadMs]) => ({
      ...each,
      runs: Array.from({ length: 2_000 }, (_, index) => ({
        ...(each.runs[index % each.runs.length] ?? { user: undefined, to: 0, cancelAfterMs: 1 }),
        startMs: index % spreadMs,
      })),
    }));
    await fc.assert(
      fc.asyncProperty(crowd, (each) => play(each, clock)),
      { numRuns: Math.ceil(meshes / 500), seed, endOnFailure: true },
    );
  });
});

async function play(each: GuardedScenario, clock: VirtualClock): Promise<void> {
  await clock.run(() => false); // whatever a scenario that failed has left
  const witness: Witness = { calls: 0, tokens: 0, timers: 0 };
  const forbidden: string[] = [];
  const router = guardedMesh(each, witness, forbidden);
  const broken = watchRules(each, router);
  const timeoutMs = each.mesh.router.timeoutMs ?? Number.POSITIVE_INFINITY;
  const callers = each.runs.map(() => new AbortController());
  let pending = each.runs.length;

  for (const [index, { user, startMs, to, cancelAfterMs }] of each.runs.entries()) {
    const caller = callers[index];
    setTimeout(() => {
      const startedAt = clock.now();
      if (cancelAfterMs !== undefined) setTimeout(() => caller?.abort(), cancelAfterMs);
      const run = router.start("why?", { to: `l${to}`, user, signal: caller?.signal });
      void run.response.then((response) => {
        pending--;
        const limit = Math.min(timeoutMs, cancelAfterMs ?? Number.POSITIVE_INFINITY);
        if (clock.now() > startedAt + limit + 50) broken.push("a run ended late");
        if (!validateResponse(response).valid) broken.push("a response is not valid");
        if (JSON.stringify(response).includes("secret")) broken.push("a response holds a secret");
      });
    }, startMs);
  }
  await clock.run(() => false);

  assert.equal(pending, 0, "runs without a response");
  assert.deepEqual(forbidden, [], "calls that rights forbid");
  assert.deepEqual([...new Set(broken)], []);
  assert.equal(clock.pending, 0, "timers left");
  const { active, waiting } = router.load();
  assert.deepEqual({ active, waiting }, { active: 0, waiting: 0 }, "slots left");
  for (const { signal } of callers) {
    assert.equal(getEventListeners(signal, "abort").length, 0, "listeners left");
  }
}

/** Watches what events show: limits, and that nothing repeats what changes something. */
function watchRules({ guards, router: options }: GuardedScenario, router: Router): string[] {
  const broken: string[] = [];
  const optionsOf = (to: string) => guards[Number(to.slice(1))]?.options ?? {};
  router.on("hop:start", ({ to, attempt, shared }) => {
    const { effects, retry } = optionsOf(to);
    const attempts = typeof retry === "object" ? (retry.attempts ?? 3) : 1;
    if (attempt > attempts) broken.push(`${to}: attempt ${attempt}`);
    if (effects === "write" && attempt > 1) broken.push(`${to}: a write was retried`);
    if (effects === "write" && shared !== undefined) broken.push(`${to}: a write was shared`);
    if (router.load().active > (options.concurrency ?? 0)) broken.push("too many calls at once");
  });
  router.on("breaker:change", ({ to }) => {
    if (optionsOf(to).breaker === undefined) broken.push(`${to}: has no breaker`);
  });
  return broken;
}

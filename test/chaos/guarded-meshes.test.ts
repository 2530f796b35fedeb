import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import {
  type Allow,
  type CachedResponse,
  createRouter,
  type LibrarianDefinition,
  type ResponseCache,
  type Router,
  type RouterOptions,
  type User,
  validateResponse,
} from "@constellation/core";
import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  definitionsOf,
  greedyModel,
  type Scenario,
  scenario,
  type Witness,
} from "./random-mesh.js";
import { installVirtualClock, type VirtualClock } from "./virtual-clock.js";

const meshes = Number(process.env.CONSTELLATION_CHAOS_RUNS ?? 1_000);
const seed = Number(process.env.CONSTELLATION_CHAOS_SEED ?? 20_261_122);

/** What a librarian is given against failures, and who may ask it. */
interface Guards {
  readonly roles: readonly string[] | "throws" | undefined;
  readonly options: Partial<LibrarianDefinition>;
  readonly isCached: boolean;
}

interface GuardedScenario {
  readonly mesh: Scenario;
  readonly guards: readonly Guards[];
  readonly router: RouterOptions;
  readonly runs: readonly {
    readonly user: User | undefined;
    readonly startMs: number;
    readonly to: number;
    readonly cancelAfterMs: number | undefined;
  }[];
}

const role = fc.constantFrom("r0", "r1", "r2");
const milliseconds = (max: number) => fc.integer({ min: 1, max });
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const guards: fc.Arbitrary<Guards> = fc.record({
  roles: fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: fc.uniqueArray(role, { minLength: 1 }) },
    fc.constant("throws" as const),
  ),
  isCached: fc.boolean(),
  options: fc.record({
    effects: maybe(fc.constantFrom("read" as const, "write" as const)),
    concurrency: maybe(fc.integer({ min: 1, max: 3 })),
    adaptiveConcurrency: maybe(fc.boolean()),
    retry: maybe(
      fc.record({ attempts: fc.integer({ min: 1, max: 4 }), minDelayMs: milliseconds(50) }),
    ),
    breaker: maybe(
      fc.record({ minCalls: fc.integer({ min: 1, max: 4 }), openMs: milliseconds(500) }),
    ),
    hedge: maybe(fc.record({ afterMs: milliseconds(200) })),
    singleFlight: maybe(fc.boolean()),
    fallback: maybe(
      fc.uniqueArray(
        fc.integer({ min: 0, max: 8 }).map((id) => `l${id}`),
        { maxLength: 2 },
      ),
    ),
  }),
});

const guarded: fc.Arbitrary<GuardedScenario> = fc.record({
  mesh: scenario,
  guards: fc.array(guards, { minLength: 8, maxLength: 8 }),
  router: fc.record({
    concurrency: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constant(Number.POSITIVE_INFINITY)),
    maxQueue: fc.integer({ min: 0, max: 6 }),
    singleFlight: maybe(fc.boolean()),
  }),
  runs: fc.array(
    fc.record({
      user: maybe(fc.record({ id: fc.constantFrom("u0", "u1"), roles: fc.uniqueArray(role) })),
      startMs: fc.integer({ min: 0, max: 300 }),
      to: fc.integer({ min: 0, max: 2 }),
      cancelAfterMs: fc.option(fc.integer({ min: 0, max: 500 }), { nil: undefined, freq: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

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
});

async function play(each: GuardedScenario, clock: VirtualClock): Promise<void> {
  await clock.run(() => false); // whatever a scenario that failed has left
  const witness: Witness = { calls: 0, tokens: 0, timers: 0 };
  const forbidden: string[] = [];
  const router = meshOf(each, witness, forbidden);
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

function meshOf(each: GuardedScenario, witness: Witness, forbidden: string[]): Router {
  const router = createRouter({ ...each.mesh.router, ...each.router, ai: greedyModel(witness) });
  for (const [index, definition] of definitionsOf(each.mesh, witness).entries()) {
    const { roles, options, isCached } = each.guards[index] ?? { roles: undefined, options: {} };
    const { librarian } = definition;
    router.register({
      ...definition,
      ...options,
      ...(roles !== undefined && { allow: ruleOf(roles) }),
      ...(isCached === true && { cache: { store: mapCache(), ttlMs: 100, staleIfErrorMs: 100 } }),
      librarian: (query, context) => {
        const held: readonly string[] = context?.user?.roles ?? [];
        const isAllowed =
          roles === undefined || (roles !== "throws" && held.some((name) => roles.includes(name)));
        if (!isAllowed) forbidden.push(definition.id);
        return librarian(query, context);
      },
    });
  }
  return router;
}

function ruleOf(roles: readonly string[] | "throws"): Allow {
  if (roles !== "throws") return { roles };
  return () => {
    throw new Error("secret");
  };
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

function mapCache(): ResponseCache {
  const kept = new Map<string, CachedResponse>();
  return { get: (key) => kept.get(key), set: (key, cached) => void kept.set(key, cached) };
}

import {
  type Allow,
  type CachedResponse,
  createRouter,
  type LibrarianDefinition,
  type ResponseCache,
  type Router,
  type RouterOptions,
  type User,
} from "@constellation/core";
import fc from "fast-check";
import {
  definitionsOf,
  greedyModel,
  type Scenario,
  scenario,
  type Witness,
} from "./random-mesh.js";

/** What a librarian is given against failures, and who may ask it. */
export interface Guards {
  readonly roles: readonly string[] | "throws" | undefined;
  readonly options: Partial<LibrarianDefinition>;
  readonly isCached: boolean;
}

/** A mesh with guards, and the runs over it. */
export interface GuardedScenario {
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

/** Meshes in which rights, limits and guards meet everything that goes wrong. */
export const guarded: fc.Arbitrary<GuardedScenario> = fc.record({
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

/**
 * A router with the librarians of a scenario, each with its guards.
 *
 * @param forbidden - Gets the id of each librarian that is called although a rule forbids it.
 */
export function guardedMesh(each: GuardedScenario, witness: Witness, forbidden: string[]): Router {
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

function mapCache(): ResponseCache {
  const kept = new Map<string, CachedResponse>();
  return { get: (key) => kept.get(key), set: (key, cached) => void kept.set(key, cached) };
}

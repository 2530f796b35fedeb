import type { LibrarianDefinition, Router } from "@constellation/core";
import { raisedLimits } from "../baselines/constellation.js";
import { addChain } from "../baselines/mesh-variant.js";
import { query, type Wired } from "../baselines/variant.js";
import type { Core } from "../core.js";
import {
  type Effort,
  interleave,
  microsecondsPerPart,
  type Row,
  type Samples,
} from "../measure.js";
import type { Scenario } from "./scenario.js";

const many = 40_000;
const delegations = 3;

/** A router with 40,000 librarians. */
export const manyScenario: Scenario = {
  name: "many",
  title: "40,000 librarians",
  async measure({ core, effort }) {
    const router = routerOf(core, many);
    const readers = addReaders(router);
    const rows: Row[] = [
      {
        name: "many: register",
        unit: "µs per librarian",
        samples: await timed(effort, () => routerOf(core, many), 1_000 / many),
      },
      {
        name: "many: chain of 3",
        unit: "µs per delegation",
        samples: await chains(core, router, effort),
      },
      {
        name: "many: check()",
        unit: "ms",
        samples: await timed(effort, () => router.check(), 1),
      },
      {
        name: "many: list() after a change",
        unit: "ms",
        samples: await timed(
          effort,
          () => {
            router.unregister("changing");
            router.register(definitionOf("changing"));
            router.list();
          },
          1,
        ),
      },
      {
        name: "many: find()",
        unit: "ms for the tenth that has it",
        samples: await timed(effort, () => router.find("facts.of-3"), 1),
      },
      {
        name: "many: availableDelegates",
        unit: "ms per read",
        samples: await interleave(readers, effort.rounds, ({ read }) => read()),
      },
    ];
    return rows;
  },
};

/** A tree, so that a check walks over all of it: each delegates to two more. */
function routerOf(core: Core, size: number): Router {
  const router = core.createRouter({ ...raisedLimits, entry: "n0" });
  for (let index = 0; index < size; index++) {
    const delegatesTo = [2 * index + 1, 2 * index + 2]
      .filter((child) => child < size)
      .map((child) => `n${child}`);
    router.register({
      ...definitionOf(`n${index}`),
      delegatesTo,
      capabilities: [`facts.of-${index % 10}`],
    });
  }
  return router;
}

function definitionOf(id: string): LibrarianDefinition {
  return { id, description: "one of many", librarian: async () => ({ answer: "ok" }) };
}

/** Each reads `availableDelegates` and says how many milliseconds that took. */
function addReaders(router: Router) {
  return [
    { name: "constellation", delegatesTo: undefined },
    { name: "constellation, two declared", delegatesTo: ["n1", "n2"] },
  ].map(({ name, delegatesTo }, index) => {
    const id = `reader-${index}`;
    let ms = 0;
    router.register({
      ...definitionOf(id),
      delegatesTo,
      librarian: async (_query, context) => {
        const started = performance.now();
        const count = context?.availableDelegates?.length ?? 0;
        ms = performance.now() - started;
        if (count < 2) throw new Error(`${count} delegates`);
        return { answer: "ok" };
      },
    });
    const read = async () => {
      const { error } = await router.ask(query, { to: id });
      if (error !== undefined) throw new Error(error.message);
      return ms;
    };
    return { name, read };
  });
}

async function chains(core: Core, large: Router, effort: Effort): Promise<Samples> {
  const small = core.createRouter(raisedLimits);
  const candidates = [
    { name: "constellation", wired: chainIn(large) },
    { name: "constellation, with 4", wired: chainIn(small) },
  ];
  return microsecondsPerPart(candidates, delegations, effort);
}

function chainIn(router: Router): Wired {
  const add = (id: string, librarian: LibrarianDefinition["librarian"]) =>
    router.register({ ...definitionOf(id), librarian });
  addChain({ add, ask: () => Promise.resolve() }, { delegations });
  return { ask: () => router.ask(query, { to: "l0" }), answers: () => [] };
}

async function timed(effort: Effort, work: () => unknown, factor: number): Promise<Samples> {
  work();
  return interleave([{ name: "constellation" }], effort.rounds, async () => {
    const started = performance.now();
    work();
    return (performance.now() - started) * factor;
  });
}

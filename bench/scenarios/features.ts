import { type ConstellationOptions, constellation } from "../baselines/constellation.js";
import { microsecondsPerPart, prepare, release } from "../measure.js";
import type { Scenario } from "./scenario.js";

const delegations = 3;
const nothing = () => undefined;

/** What each optional feature adds, by name. */
const features: Readonly<Record<string, ConstellationOptions>> = {
  "one listener": { prepare: (router) => router.on("hop:end", nothing) },
  "run record": { keepsRecord: true },
  budget: { router: { budget: { tokens: 1_000_000 } } },
  'loops "work"': { router: { loops: "work" } },
  concurrency: { router: { concurrency: 1_000 } },
  retry: { router: { retry: true } },
  breaker: { router: { breaker: true } },
  singleFlight: { router: { singleFlight: true } },
  "no deadline": { router: { timeoutMs: Number.POSITIVE_INFINITY } },
};

/** A chain of 3 with one optional feature on. */
export const featuresScenario: Scenario = {
  name: "features",
  title: "chain of 3, one feature on",
  async measure({ core, effort }) {
    const off = "constellation, off";
    const variants = Object.entries(features).map(([name, options]) =>
      constellation(core, name, options),
    );
    const candidates = await prepare([constellation(core, off), ...variants], (each) =>
      each.chain({ delegations }),
    );
    const samples = await microsecondsPerPart(candidates, delegations, effort);
    await release(candidates);
    return variants.map(({ name }) => ({
      name: `features: ${name}`,
      unit: "µs per delegation",
      samples: { constellation: samples[name] ?? [], [off]: samples[off] ?? [] },
    }));
  },
};

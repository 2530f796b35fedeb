import { bare } from "../baselines/bare.js";
import { constellation } from "../baselines/constellation.js";
import { createLean } from "../baselines/lean.js";
import { meshVariant } from "../baselines/mesh-variant.js";
import { moleculer } from "../baselines/moleculer.js";
import { createPlain } from "../baselines/plain.js";
import { microsecondsPerPart, prepare, release } from "../measure.js";
import type { Scenario } from "./scenario.js";

const plain = meshVariant("plain", createPlain);
const lean = meshVariant("lean", createLean);

/** A query that is forwarded, from one librarian to the next; each resolves at once. */
export function chainScenario(delegations: number): Scenario {
  const name = `chain-${delegations}`;
  return {
    name,
    title: `chain of ${delegations}`,
    async measure({ core, effort }) {
      const variants = [bare, plain, lean, moleculer, constellation(core)];
      const candidates = await prepare(variants, (each) => each.chain({ delegations }));
      const samples = await microsecondsPerPart(candidates, delegations, effort);
      await release(candidates);
      return [{ name, unit: "µs per delegation", samples }];
    },
  };
}

/** The same, and every librarian reads its signal. */
export const signalScenario: Scenario = {
  name: "signal",
  title: "chain of 3, every librarian reads its signal",
  async measure({ core, effort }) {
    const leanPerBranch = meshVariant("lean, one signal per branch", () =>
      createLean({ signalPer: "branch" }),
    );
    const variants = [plain, lean, leanPerBranch, constellation(core)];
    const candidates = await prepare(variants, (each) =>
      each.chain({ delegations: 3, readsSignal: true }),
    );
    const samples = await microsecondsPerPart(candidates, 3, effort);
    await release(candidates);
    return [{ name: "signal", unit: "µs per delegation", samples }];
  },
};

/** A query that is asked of many at once; each resolves at once. */
export function fanOutScenario(children: number): Scenario {
  const name = `fan-out-${children}`;
  return {
    name,
    title: `fan-out to ${children.toLocaleString("en")}`,
    async measure({ core, effort }) {
      const variants = [bare, plain, lean, moleculer, constellation(core)];
      const candidates = await prepare(variants, (each) => each.fanOut({ children }));
      const samples = await microsecondsPerPart(candidates, children, effort);
      await release(candidates);
      return [{ name, unit: "µs per child", samples }];
    },
  };
}

import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { bare } from "../baselines/bare.js";
import { constellation } from "../baselines/constellation.js";
import { createLean } from "../baselines/lean.js";
import { meshVariant } from "../baselines/mesh-variant.js";
import { moleculer } from "../baselines/moleculer.js";
import { createPlain } from "../baselines/plain.js";
import type { Wired } from "../baselines/variant.js";
import type { Core } from "../core.js";
import {
  activeTimers,
  type Candidate,
  collectGarbage,
  interleave,
  prepare,
  release,
} from "../measure.js";
import type { Scenario } from "./scenario.js";

const leafMs = 10;

function variantsOf(core: Core) {
  const plain = meshVariant("plain", createPlain);
  return [bare, plain, meshVariant("lean", createLean), moleculer, constellation(core)];
}

/** Many chains of 3 at once, each waiting for a leaf that takes 10 ms. */
export function inFlightScenario(chains: number): Scenario {
  const name = `in-flight-${chains}`;
  return {
    name,
    title: `${chains.toLocaleString("en")} chains of 3 in flight, 10 ms leaf`,
    async measure({ core, effort }) {
      const wait = () => new Promise<void>((resolve) => setTimeout(resolve, leafMs));
      const candidates = await prepare(variantsOf(core), (each) =>
        each.chain({ delegations: 3, wait }),
      );
      for (const { wired } of candidates) await askAll(wired, 1_000);
      const lags = new Map<string, number[]>(candidates.map((each) => [each.name, []]));
      const walls = await interleave(
        candidates,
        effort.slowRounds,
        async ({ name: who, wired }) => {
          const delay = monitorEventLoopDelay({ resolution: 1 });
          await nextTurn();
          delay.enable();
          const started = performance.now();
          await askAll(wired, chains);
          const wall = performance.now() - started;
          await nextTurn();
          delay.disable();
          lags.get(who)?.push(delay.percentile(99) / 1e6);
          return wall;
        },
      );
      await release(candidates);
      return [
        { name, unit: "ms, wall", samples: walls },
        { name: `${name}-lag`, unit: "ms, event loop lag p99", samples: Object.fromEntries(lags) },
      ];
    },
  };
}

async function askAll(wired: Wired, chains: number): Promise<void> {
  await Promise.all(Array.from({ length: chains }, () => wired.ask()));
}

const waiting = 5_000;

/** What a chain of 3 holds while its last librarian waits. */
export const heapScenario: Scenario = {
  name: "heap",
  title: "a waiting chain of 3",
  async measure({ core, effort }) {
    let gate = Promise.resolve();
    const candidates = await prepare(variantsOf(core), (each) =>
      each.chain({ delegations: 3, wait: () => gate }),
    );
    const timers = new Map<string, number[]>(candidates.map((each) => [each.name, []]));
    const sample = async ({ name, wired }: Candidate) => {
      let open: () => void = () => undefined;
      gate = new Promise((resolve) => {
        open = resolve;
      });
      const before = { heap: await heapUsed(), timers: activeTimers() };
      const asked = Array.from({ length: waiting }, () => wired.ask());
      const bytes = (await heapUsed()) - before.heap;
      timers.get(name)?.push(activeTimers() - before.timers);
      open();
      await Promise.all(asked);
      return bytes / waiting;
    };
    for (const each of candidates) await sample(each); // first use compiles code, which stays
    for (const list of timers.values()) list.length = 0;
    const bytes = await interleave(candidates, effort.slowRounds, sample);
    await release(candidates);
    return [
      { name: "heap", unit: "bytes per waiting chain", samples: bytes },
      {
        name: "heap-timers",
        unit: `timers of ${waiting.toLocaleString("en")} waiting chains`,
        samples: Object.fromEntries(timers),
      },
    ];
  },
};

/** Bytes in use once collections find no more: what has a finalizer goes only with a later one. */
async function heapUsed(): Promise<number> {
  let used = Number.POSITIVE_INFINITY;
  for (;;) {
    await nextTurn();
    collectGarbage();
    const { heapUsed: now } = process.memoryUsage();
    if (now > used - 10_000) return now;
    used = now;
  }
}

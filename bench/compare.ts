/**
 * Compares the core of this checkout with that of another one: `compare --base CHECKOUT`.
 *
 * Every run is a fresh process, and the order alternates. Shown are the medians over all runs, and
 * the ratio of this core to the other.
 *
 * - `--only NAME`: that scenario; can be given more than once. Chains and fan-outs where not given.
 * - `--rounds N`: runs of each core. 5 where not given.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { describeMachine, machineLine } from "./machine.js";
import { median } from "./measure.js";
import { measureInProcess } from "./process.js";

const { values } = parseArgs({
  options: {
    base: { type: "string" },
    only: {
      type: "string",
      multiple: true,
      default: ["chain-3", "chain-10", "signal", "fan-out-100", "fan-out-1000"],
    },
    rounds: { type: "string", default: "5" },
  },
});
const { base, only } = values;
if (base === undefined) throw new Error("--base: expected the root of another checkout");
const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1) {
  throw new Error(`--rounds: expected a whole number from 1, got ${values.rounds}`);
}

const machine = describeMachine();
console.log(machineLine(machine));
/** Per row: the median of each run. */
const figures: Record<string, { unit: string; base: number[]; here: number[] }> = {};
for (const scenario of only) {
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (["base", "here"] as const) : (["here", "base"] as const);
    for (const side of order) {
      const core = side === "base" ? base : undefined;
      for (const { name, unit, samples } of measureInProcess(scenario, { quick: true, core })) {
        figures[name] ??= { unit, base: [], here: [] };
        figures[name][side].push(median(samples.constellation ?? []));
      }
    }
  }
}

console.table(
  Object.entries(figures).map(([name, { unit, base: before, here }]) => ({
    row: name,
    unit,
    base: Number(median(before).toPrecision(3)),
    here: Number(median(here).toPrecision(3)),
    "here / base": Number((median(here) / median(before)).toFixed(2)),
  })),
);
const results = fileURLToPath(new URL("../results", import.meta.url));
mkdirSync(results, { recursive: true });
const file = join(results, `compare-${machine.date.replaceAll(":", "")}-${machine.commit}.json`);
writeFileSync(file, `${JSON.stringify({ machine, base, rounds, figures }, undefined, 2)}\n`);
console.log(`Every value: ${file}`);

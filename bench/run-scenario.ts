/** Runs one scenario in this process and prints its rows as JSON: `run-scenario NAME [--quick] [--core CHECKOUT]`. */
import { parseArgs } from "node:util";
import { loadCore } from "./core.js";
import { efforts } from "./measure.js";
import { scenarios } from "./scenarios/all.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, core: { type: "string" } },
});
const scenario = scenarios.find(({ name }) => name === positionals[0]);
if (scenario === undefined) {
  throw new Error(
    `scenario: expected one of ${scenarios.map(({ name }) => name).join(", ")}, got ${positionals[0]}.`,
  );
}
const rows = await scenario.measure({
  core: await loadCore(values.core),
  checkout: values.core,
  effort: values.quick ? efforts.quick : efforts.full,
});
console.log(JSON.stringify(rows));

import { parseArgs } from "node:util";
import { installRestate } from "../src/testing.js";
import { killWorkers } from "./kill-workers.js";
import { serverHome } from "./server-home.js";

// npm run durability -w packages/restate -- --kills 60

const { values } = parseArgs({ options: { kills: { type: "string", default: "60" } } });
const program = installRestate(serverHome);
if (program === undefined) process.exit(1);
const report = await killWorkers(program, Number(values.kills));
console.log(JSON.stringify(report, undefined, 2));
if ([report.wrong, report.notOnce, report.repeated].some(({ length }) => length > 0)) {
  process.exitCode = 1;
}

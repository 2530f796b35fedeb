import { parseArgs } from "node:util";
import { killProcesses } from "./kill-processes.js";

// npm run durability -- --kills 300: kills processes of a durable mesh at every boundary in turn.

const { values } = parseArgs({ options: { kills: { type: "string", default: "300" } } });
const kills = Number(values.kills);
const report = await killProcesses(Array.from({ length: kills }, (_, index) => 1 + (index % 40)));
console.log(JSON.stringify(report, undefined, 2));
const { unfinished, notOnce, repeated, problems } = report;
if ([unfinished, notOnce, repeated, problems].some(({ length }) => length > 0))
  process.exitCode = 1;

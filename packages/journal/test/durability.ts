import { parseArgs } from "node:util";
import { killProcesses } from "./kill-processes.js";
import { findPostgres, startPostgres } from "./postgres-server.js";

// npm run durability -- --kills 300 --store postgres: kills processes of a durable mesh at every boundary in turn.

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "300" },
    store: { type: "string", default: "sqlite" },
  },
});
const bin = values.store === "postgres" ? findPostgres() : undefined;
if (values.store === "postgres" && bin === undefined) throw new Error("No Postgres is installed.");
const server = bin === undefined ? undefined : startPostgres(bin);
const killAt = Array.from({ length: Number(values.kills) }, (_, index) => 1 + (index % 40));
const report = await killProcesses(killAt, server?.url).finally(() => server?.stop());
console.log(JSON.stringify(report, undefined, 2));
const { unfinished, notOnce, repeated, problems } = report;
if ([unfinished, notOnce, repeated, problems].some(({ length }) => length > 0))
  process.exitCode = 1;

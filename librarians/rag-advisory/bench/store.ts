/**
 * What the embedded store costs at 1,000, 10,000 and 100,000 chunks, and how that grows:
 * `npm run bench -w librarians/rag-advisory`, `-- --dimensions 256` with vectors of this length,
 * `-- --json` for the figures as they are.
 */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { StoreFigures } from "./measure-store.js";

const { values } = parseArgs({
  options: {
    dimensions: { type: "string", default: "0" },
    json: { type: "boolean", default: false },
  },
});
const sizes = [1_000, 10_000, 100_000];

/** A fresh process each, so that none has the memory of another. */
function measure(chunks: number): StoreFigures {
  const script = fileURLToPath(new URL("measure-store.ts", import.meta.url));
  const output = execFileSync(
    process.execPath,
    [...process.execArgv, script, String(chunks), values.dimensions],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  // The script beside this one writes nothing else.
  return JSON.parse(output) as StoreFigures;
}

const measured = sizes.map(measure);
if (values.json) {
  console.log(JSON.stringify(measured));
} else {
  const ms = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(0));
  const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
  const table: readonly (readonly [string, (figures: StoreFigures) => string])[] = [
    ["ingest, chunks a second", ({ chunks, ingestMs }) => ((chunks / ingestMs) * 1_000).toFixed(0)],
    ["the same again, ms", ({ againMs }) => ms(againMs)],
    ["close (saves the index), ms", ({ closeMs }) => ms(closeMs)],
    ["open from the saved index, ms", ({ openMs }) => ms(openMs)],
    ["first query after opening, ms", ({ firstQueryMs }) => ms(firstQueryMs)],
    ["query p50, ms", ({ p50Ms }) => ms(p50Ms)],
    ["query p95, ms", ({ p95Ms }) => ms(p95Ms)],
    ["1,000 rows, ms", ({ rowsMs }) => ms(rowsMs)],
    ["memory", ({ keptBytes }) => mb(keptBytes)],
    ["disk", ({ diskBytes }) => mb(diskBytes)],
  ];
  console.log(`Node.js ${process.version}, ${cpus().length} x ${cpus()[0]?.model}\n`);
  console.log(`| chunks | ${sizes.map((size) => size.toLocaleString("en")).join(" | ")} |`);
  console.log(`| --- |${" --- |".repeat(sizes.length)}`);
  for (const [name, of] of table) console.log(`| ${name} | ${measured.map(of).join(" | ")} |`);
  const growth = (name: string, of: (figures: StoreFigures) => number): void => {
    const factors = measured.slice(1).map((each, at) => {
      const before = measured[at];
      return before === undefined ? "" : `x${(of(each) / of(before)).toFixed(1)}`;
    });
    console.log(`${name} for ten times the chunks: ${factors.join(", then ")}`);
  };
  console.log();
  growth("ingest time", ({ ingestMs }) => ingestMs);
  growth("query p50", ({ p50Ms }) => p50Ms);
  growth("query p95", ({ p95Ms }) => p95Ms);
  growth("memory", ({ keptBytes }) => keptBytes);
}

/**
 * npm run bench -w librarians/workflow-selector: what a search costs by the size of the catalog, without a model.
 *
 *     -- --json           one JSON document
 *     -- --data DIR       the real catalog, for the tokens of its view; ../shared/data where it is there
 *
 * Entries and incidents are made up from a seed. A search filters by the business labels, scores what is left, and
 * gives ten. Each time is wall time in milliseconds, after a warm-up. "least p95" is the p95 over the queries of the
 * fastest of some 18 times each: what is left without the neighbours of a busy machine. "first" builds the index.
 */
import { parseArgs } from "node:util";
import { readRealWorkflows, selectionData } from "../eval/data-folder.js";
import { createMemoryCatalog, searchWorkflowCatalog } from "../src/index.js";
import { businessLabels, generateEntries, incidents } from "./generate-catalog.js";

const { values } = parseArgs({ options: { json: { type: "boolean" }, data: { type: "string" } } });
const sizes = [100, 1_000, 10_000];
const rounds = 1_000;

/** Times in milliseconds; `growth` is that of the median against the size before. */
interface Measured {
  readonly entries: number;
  readonly firstMs: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly leastP95Ms: number;
  readonly growth: number | undefined;
}
const measured: Measured[] = [];
for (const entries of sizes) measured.push(await measure(entries));
const tokens = await tokensPerEntry();

if (values.json === true) {
  console.log(JSON.stringify({ searches: measured, tokensPerEntry: tokens }, undefined, 2));
} else {
  for (const { entries, firstMs, medianMs, p95Ms, leastP95Ms, growth } of measured) {
    console.log(
      `${String(entries).padStart(6)} entries   median ${medianMs.toFixed(2)}   p95 ${p95Ms.toFixed(2)}   least p95 ${leastP95Ms.toFixed(2)}   first ${firstMs.toFixed(0)}   ${growth === undefined ? "" : `median x ${growth.toFixed(1)}`}`,
    );
  }
  console.log(
    tokens === undefined
      ? "tokens per entry: skipped, there is no real catalog; name a folder with --data DIR"
      : `tokens per entry of the view over the real catalog, at 4 characters each: ${tokens.toFixed(1)}`,
  );
}

async function measure(entries: number): Promise<Measured> {
  const catalog = await createMemoryCatalog(generateEntries(entries)).read();
  const queries = incidents.flatMap((incident_type) =>
    businessLabels.map((labels) => ({
      incident_type,
      details: "Service availability may be degraded until the workload is stable again.",
      labels,
      observed: { severity: "critical", component: "Deployment" },
      min_confidence: 0.7,
      max_results: 10,
    })),
  );
  const search = (round: number) =>
    searchWorkflowCatalog(catalog, queries[round % queries.length] ?? {});
  const begun = performance.now();
  search(0);
  const firstMs = performance.now() - begun;
  for (let round = 0; round < 200; round++) search(round);
  const least = queries.map(() => Number.POSITIVE_INFINITY);
  const times = Array.from({ length: rounds }, (_, round) => {
    const start = performance.now();
    search(round);
    const spent = performance.now() - start;
    const at = round % queries.length;
    least[at] = Math.min(least[at] ?? spent, spent);
    return spent;
  });
  const medianMs = quantile(times, 0.5);
  const p95Ms = quantile(times, 0.95);
  const leastP95Ms = quantile(least, 0.95);
  const before = measured.at(-1);
  const growth = before && medianMs / before.medianMs;
  return { entries, firstMs, medianMs, p95Ms, leastP95Ms, growth };
}

function quantile(times: readonly number[], share: number): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * share)] ?? 0;
}

async function tokensPerEntry(): Promise<number | undefined> {
  const folder = selectionData(values.data);
  if (folder === undefined) return undefined;
  const { workflows } = searchWorkflowCatalog(
    await createMemoryCatalog(readRealWorkflows(folder)).read(),
    {},
  );
  return workflows.reduce((sum, one) => sum + JSON.stringify(one).length, 0) / 4 / workflows.length;
}

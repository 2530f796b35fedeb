/**
 * What one question costs beyond a snapshot that is already loaded: time and heap, for a generated
 * cluster of 10,000 pods, 5,000 events and 500 nodes, and for halves of it, to see that it grows linearly.
 *
 * Not measured: reading files or a network. Run with `npm run bench -w librarians/k8s`.
 */
import { createInMemoryReader } from "../src/cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { now } from "../test/objects.js";
import { generateCluster } from "./generate-cluster.js";

const rounds = 5;
const question = "Why does workload-7 keep restarting?";
const wide = "What is wrong in the cluster?";

interface Row {
  readonly pods: number;
  readonly question: string;
  readonly medianMs: number;
  readonly heapMb: number;
}

async function measure(pods: number, asked: string): Promise<Row> {
  const reader = createInMemoryReader({
    objects: generateCluster({ pods, events: pods / 2, nodes: pods / 20 }),
    now,
  });
  const { librarian } = createK8sLibrarian({ reader });
  const times: number[] = [];
  let heap = 0;
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = process.memoryUsage().heapUsed;
    const start = performance.now();
    const { answer } = await librarian(asked);
    times.push(performance.now() - start);
    heap = Math.max(heap, process.memoryUsage().heapUsed - before);
    if (answer?.includes("OOMKilled") !== true)
      throw new Error("the answer does not say what is wrong");
  }
  const medianMs = times.sort((a, b) => a - b)[Math.floor(rounds / 2)] ?? 0;
  return {
    pods,
    question: asked,
    medianMs: Math.round(medianMs),
    heapMb: Math.round(heap / 1_048_576),
  };
}

for (const asked of [question, wide]) {
  const rows: Row[] = [];
  for (const pods of [2_500, 5_000, 10_000]) rows.push(await measure(pods, asked));
  for (const row of rows) console.log(JSON.stringify(row));
  const [, half, whole] = rows;
  if (half === undefined || whole === undefined) continue;
  const growth = whole.medianMs / Math.max(1, half.medianMs);
  console.log(`twice the pods: ${growth.toFixed(2)} times the time`);
  if (growth > 3) process.exitCode = 1;
}

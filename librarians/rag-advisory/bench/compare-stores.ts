/**
 * Compares what could keep the advisory's chunks, in one run and by turns, each in a process of its own:
 * `node ... bench/compare-stores.ts [CHUNKS] [own,sqlite,pglite,postgres] [KILLS]`. With a second
 * argument `--one KIND FOLDER` it is that process; with `--fill KIND FOLDER`, the one that is killed.
 */
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ingest, type VectorStore } from "../src/index.js";
import { createRandom, makeDocuments } from "./make-documents.js";
import { type Candidate, openCandidate } from "./open-candidate.js";
import { queryOf } from "./query-of.js";

const self = fileURLToPath(import.meta.url);
const [first = "20000", second = "own,pglite", third = "5", fourth = ""] = process.argv.slice(2);

if (first === "--one") await measureOne(second as Candidate, third, Number(fourth));
else if (first === "--fill") await fill(second as Candidate, third);
else await compare(Number(first), second.split(",") as Candidate[], Number(third));

async function compare(chunks: number, kinds: readonly Candidate[], kills: number): Promise<void> {
  for (const kind of kinds) {
    const folder = await mkdtemp(join(tmpdir(), "compare-"));
    try {
      const output = execFileSync(
        process.execPath,
        [...process.execArgv, self, "--one", kind, folder, String(chunks)],
        { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
      );
      console.log(output.trim());
      console.log(JSON.stringify({ kind, ...(await killOften(kind, folder, kills)) }));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function measureOne(kind: Candidate, folder: string, chunks: number): Promise<void> {
  const paths = await makeDocuments(folder, chunks);
  const path = join(folder, "store");
  const before = process.memoryUsage().rss;
  const startMs = performance.now();
  let store = await openCandidate(kind, path);
  const createMs = performance.now() - startMs;
  const ingestMs = await timed(() => ingest(store, paths, { root: folder }));
  const againMs = await timed(() => ingest(store, paths, { root: folder }));
  const closeMs = await timed(() => store.close());
  const openMs = await timed(async () => {
    store = await openCandidate(kind, path);
  });
  const { times, found } = await ask(store);
  const rowsMs = await timed(() => store.rows({ country: "IN", limit: 1_000 }));
  const rss = process.memoryUsage().rss - before;
  await store.close();
  console.log(
    JSON.stringify({
      kind,
      node: process.version,
      chunks,
      createMs: Math.round(createMs),
      ingestPerSecond: Math.round((chunks / ingestMs) * 1_000),
      againMs: Math.round(againMs),
      closeMs: Math.round(closeMs),
      openMs: Math.round(openMs),
      firstQueryMs: Math.round(times[0] ?? 0),
      p50Ms: quantile(times, 0.5),
      p95Ms: quantile(times, 0.95),
      rowsMs: Math.round(rowsMs),
      rssMB: Math.round(rss / 1e6),
      diskMB: Math.round((await sizeOf(path)) / 1e6),
      found,
    }),
  );
}

async function ask(store: VectorStore): Promise<{ times: readonly number[]; found: number }> {
  const random = createRandom(7);
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < 200; at++) {
    const query = queryOf(random);
    times.push(
      await timed(async () => {
        found += (await store.search(query)).length;
      }),
    );
  }
  return { times, found };
}

/** Adds batches of 100 chunks and prints the number of each once it is acknowledged. */
async function fill(kind: Candidate, folder: string): Promise<void> {
  const store = await openCandidate(kind, folder);
  for (let batch = 0; ; batch++) {
    const chunks = Array.from({ length: 100 }, (_, at) => ({
      id: `${process.pid}-${batch}-${at}`,
      text: `plot ${batch} of ${at}, as it was sold`,
      metadata: { country: "IN", document: `d${batch}`, source: "Bench" } as const,
    }));
    await store.add(chunks);
    process.stdout.write(`${batch + 1}\n`);
  }
}

async function killOften(kind: Candidate, folder: string, kills: number): Promise<object> {
  if (kind === "postgres") return {};
  const path = join(folder, "killed");
  let acknowledged = 0;
  let failures = 0;
  let lost = 0;
  for (let kill = 0; kill < kills; kill++) {
    acknowledged += 100 * (await fillAndKill(kind, path, kill));
    try {
      const store = await openCandidate(kind, path);
      const { chunks } = await store.health();
      lost = Math.max(lost, acknowledged - chunks);
      acknowledged = chunks;
      await store.close();
    } catch (thrown) {
      failures++;
      console.error(kind, String(thrown).slice(0, 300));
    }
  }
  return { kills, failures, lost, chunks: acknowledged };
}

async function fillAndKill(kind: Candidate, path: string, seed: number): Promise<number> {
  const child = spawn(process.execPath, [...process.execArgv, self, "--fill", kind, path], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  let batches = 0;
  let rest = "";
  const enough = 5 + ((seed * 7) % 13);
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    rest += text;
    batches = Number(rest.trimEnd().split("\n").at(-1) ?? 0);
    if (batches >= enough) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  return batches;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.size;
  const sizes = await Promise.all((await readdir(path)).map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

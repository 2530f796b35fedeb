/**
 * Measures the embedded store with so many chunks, in a process of its own:
 * `measure-store.ts CHUNKS [DIMENSIONS]`, with vectors of this length.
 */
import { createHash } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Embedder } from "@constellation/retrieval";
import { ingest, openFileStore, type VectorStore } from "../src/index.js";
import { createRandom, makeDocuments } from "./make-documents.js";
import { queryOf } from "./query-of.js";

/** What was measured. Times in milliseconds, sizes in bytes. */
export interface StoreFigures {
  readonly chunks: number;
  readonly ingestMs: number;
  /** The same documents again. */
  readonly againMs: number;
  readonly closeMs: number;
  readonly diskBytes: number;
  /** Opening from the saved index. */
  readonly openMs: number;
  /** The first query after it, which sorts the postings. */
  readonly firstQueryMs: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  /** 1,000 latest rows of a country. */
  readonly rowsMs: number;
  /** Heap and buffers after a collection, with the store open and asked, less what there was before. */
  readonly keptBytes: number;
}

const queries = 300;

async function timed<Value>(work: () => Promise<Value>): Promise<readonly [number, Value]> {
  const start = performance.now();
  const value = await work();
  return [performance.now() - start, value];
}

function held(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** Gives each text a vector of its own that means nothing. */
function createBenchEmbedder(dimensions: number): Embedder {
  return {
    id: "bench",
    dimensions,
    embed: async (texts) =>
      texts.map((text) => {
        const random = createRandom(createHash("sha256").update(text).digest().readInt32LE(0));
        return Float32Array.from({ length: dimensions }, () => random() - 0.5);
      }),
  };
}

async function measure(chunks: number, dimensions: number, folder: string): Promise<StoreFigures> {
  const options = dimensions === 0 ? {} : { embedder: createBenchEmbedder(dimensions) };
  const paths = await makeDocuments(folder, chunks);
  const path = join(folder, "store");
  const before = held();
  const first = await openFileStore(path, options);
  const [ingestMs, report] = await timed(() => ingest(first, paths, { root: folder }));
  if (report.added !== chunks) throw new Error(`expected ${chunks} chunks, got ${report.added}`);
  const [againMs, again] = await timed(() => ingest(first, paths, { root: folder }));
  if (again.added !== 0 || again.removed !== 0)
    throw new Error("the second time changed something");
  const [closeMs] = await timed(() => first.close());

  const [openMs, store] = await timed(() => openFileStore(path, options));
  const random = createRandom(7);
  const [firstQueryMs] = await timed(() => store.search(queryOf(random)));
  for (let at = 0; at < 30; at++) await store.search(queryOf(random));
  const times: number[] = [];
  let found = 0;
  for (let at = 0; at < queries; at++) {
    const query = queryOf(random);
    const [ms, hits] = await timed(() => store.search(query));
    times.push(ms);
    found += hits.length;
  }
  if (found < queries) throw new Error("the queries found next to nothing");
  const [rowsMs] = await timed(() => rowsOf(store));
  const keptBytes = held() - before;
  await store.close();
  const { size } = await stat(join(path, "chunks.log"));
  const { size: indexSize } = await stat(join(path, "index.bin"));
  times.sort((a, b) => a - b);
  return {
    chunks,
    ingestMs,
    againMs,
    closeMs,
    diskBytes: size + indexSize,
    openMs,
    firstQueryMs,
    p50Ms: times[Math.floor(queries * 0.5)] ?? 0,
    p95Ms: times[Math.floor(queries * 0.95)] ?? 0,
    rowsMs,
    keptBytes,
  };
}

function rowsOf(store: VectorStore): Promise<unknown> {
  return store.rows({ country: "IN", limit: 1_000 });
}

const folder = await mkdtemp(join(tmpdir(), "store-bench-"));
try {
  process.stdout.write(
    JSON.stringify(await measure(Number(process.argv[2]), Number(process.argv[3] ?? 0), folder)),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

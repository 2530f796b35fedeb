/**
 * `npm run eval -w packages/retrieval`: how well sections are found, over real documentation.
 *
 * `-- --data DIR` takes another folder of the same layout, `--split NAME` other queries, `--out
 * RUN.jsonl` writes what was found in the form of the folder's own scorer, `--json` prints one
 * document.
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  createFileStore,
  createMarkdownFolder,
  type MarkdownPage,
  openKnowledgeBase,
  parseMarkdown,
} from "@constellation/retrieval";
import { type BenchmarkQuery, defaultData, readBenchmark, readPages } from "./benchmark.js";
import { bm25fEngine, type Engine, miniSearchEngine, sectionEngine } from "./engines.js";
import { auroc, judge, meanOf, type QueryRun, type RankingFigures } from "./metrics.js";

const { values } = parseArgs({
  options: {
    data: { type: "string", default: defaultData },
    split: { type: "string", default: "dev" },
    out: { type: "string" },
    json: { type: "boolean", default: false },
  },
});

const benchmark = readBenchmark(values.data, values.split);
if (benchmark === undefined) {
  console.log(
    `eval: skipped, there is no corpus/ and queries.${values.split}.jsonl in the data folder`,
  );
  process.exit(0);
}
const { corpus, knowledgeBases, queries } = benchmark;

const pages = new Map<string, readonly MarkdownPage[]>(
  knowledgeBases.map((kb) => [
    kb,
    readPages(join(corpus, kb)).map(({ file, text }) => parseMarkdown(text, { file })),
  ]),
);

await report();

async function report(): Promise<void> {
  const engines = {
    "@constellation/retrieval": (kb: string) => sectionEngine(pages.get(kb) ?? []),
    BM25F: (kb: string) => bm25fEngine(pages.get(kb) ?? []),
    "minisearch, defaults": (kb: string) => miniSearchEngine(pages.get(kb) ?? []),
  };
  const document = {
    split: values.split,
    node: process.version,
    engines: Object.fromEntries(
      Object.entries(engines).map(([name, create]) => [name, measure(create)]),
    ),
    cost: await measureCost(),
  };
  if (values.out !== undefined) {
    writeFileSync(values.out, `${runOf(engines["@constellation/retrieval"]).join("\n")}\n`);
  }
  if (values.json) console.log(JSON.stringify(document, null, 1));
  else print(document);
}

/** Ranking figures of an engine, over all and by slice. */
function measure(create: (kb: string) => Engine) {
  const runs = ask(create).map(({ query, run, ms }) => ({
    query,
    run,
    ms,
    judged: judge(query, run),
  }));
  const answerable = runs.filter(({ query }) => query.type === "answerable");
  const slice = (keep: (query: BenchmarkQuery) => boolean) =>
    meanOf(answerable.filter(({ query }) => keep(query)).map(({ judged }) => judged));
  const kinds = [...new Set(answerable.map(({ query }) => query.provenance.kind))].sort();
  const outside = runs.filter(({ query }) => query.type === "out-of-domain");
  const times = runs.map(({ ms }) => ms).sort((a, b) => a - b);
  return {
    all: slice(() => true),
    ...Object.fromEntries(knowledgeBases.map((kb) => [kb, slice((query) => query.kb === kb)])),
    ...Object.fromEntries(
      kinds.map((kind) => [kind, slice(({ provenance }) => provenance.kind === kind)]),
    ),
    "not from links": slice(({ provenance }) => provenance.kind !== "xref"),
    "all heading words": slice(({ titleOverlap = 0 }) => titleOverlap >= 1),
    "no heading word": slice(({ titleOverlap = 0 }) => titleOverlap === 0),
    outOfDomainAuroc: auroc(
      answerable.map(({ run }) => run.score),
      outside.map(({ run }) => run.score),
    ),
    p50Ms: times[times.length >> 1] ?? 0,
    p95Ms: times[Math.floor(times.length * 0.95)] ?? 0,
  };
}

function ask(create: (kb: string) => Engine) {
  return knowledgeBases.flatMap((kb) => {
    const engine = create(kb);
    const asked = queries.filter((query) => query.kb === kb);
    // Once unmeasured, so that the first query does not pay for the rest.
    for (const { query } of asked.slice(0, 20)) engine.search(query);
    return asked.map((query) => {
      const started = performance.now();
      const run: QueryRun = engine.search(query.query);
      return { query, run, ms: performance.now() - started };
    });
  });
}

/** What it costs to open all knowledge bases as one, and to open it again from a store. */
async function measureCost() {
  const store = createFileStore(join(tmpdir(), `retrieval-eval-${process.pid}.index`));
  const source = createMarkdownFolder(corpus);
  globalThis.gc?.();
  const heapBefore = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const started = performance.now();
  const first = await openKnowledgeBase({ source });
  await first.search("warm up");
  const indexMs = performance.now() - started;
  globalThis.gc?.();
  const heap = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - heapBefore;
  const { size } = first;
  await openKnowledgeBase({ source, store });
  const loads: number[] = [];
  for (let round = 0; round < 5; round++) {
    const again = performance.now();
    const loaded = await openKnowledgeBase({ source, store });
    await loaded.search("warm up");
    loads.push(performance.now() - again);
  }
  loads.sort((a, b) => a - b);
  return { sections: size, indexMs, heapMb: heap / 1e6, loadMs: loads[2] ?? 0 };
}

function runOf(create: (kb: string) => Engine): readonly string[] {
  return ask(create).map(({ query, run, ms }) =>
    JSON.stringify({ id: query.id, results: run.results, score: run.score, ms }),
  );
}

function print(document: {
  readonly engines: Readonly<Record<string, ReturnType<typeof measure>>>;
  readonly cost: Awaited<ReturnType<typeof measureCost>>;
}): void {
  for (const [name, { outOfDomainAuroc, p50Ms, p95Ms, ...slices }] of Object.entries(
    document.engines,
  )) {
    console.log(`\n${name}`);
    console.log(
      "slice              queries  hit@1 hit@5 hit@10 MRR@10 nDCG@10  file hit@1 hit@5   MRR",
    );
    for (const [slice, figures] of Object.entries(slices as Record<string, RankingFigures>)) {
      const { hit1, hit5, hit10, mrr10, ndcg10, fileHit1, fileHit5, fileMrr10 } = figures;
      const [a, b, c, d, e, f, g, h] = [
        hit1,
        hit5,
        hit10,
        mrr10,
        ndcg10,
        fileHit1,
        fileHit5,
        fileMrr10,
      ].map((each) => each.toFixed(3));
      const counts = `${figures.sectionQueries}/${figures.queries}`.padStart(8);
      console.log(
        `${slice.padEnd(18)} ${counts}  ${a} ${b} ${c}  ${d}  ${e}        ${f} ${g} ${h}`,
      );
    }
    console.log(`out of domain, AUROC of the first hit's score: ${outOfDomainAuroc.toFixed(3)}`);
    console.log(`query: p50 ${p50Ms.toFixed(2)} ms, p95 ${p95Ms.toFixed(2)} ms`);
  }
  const { sections, indexMs, heapMb, loadMs } = document.cost;
  console.log(
    `\n${sections} sections: opened in ${indexMs.toFixed(0)} ms (reading and parsing included), ` +
      `from a store in ${loadMs.toFixed(0)} ms; ${heapMb.toFixed(0)} MB of memory kept`,
  );
}

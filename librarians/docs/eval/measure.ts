import {
  createAnalyzer,
  createMarkdownFolder,
  type Embedder,
  openKnowledgeBase,
} from "@constellation/retrieval";
import type { Benchmark, BenchmarkQuery } from "../../../packages/retrieval/bench/benchmark.js";
import {
  judge as judgeRun,
  type RankingFigures,
} from "../../../packages/retrieval/bench/metrics.js";
import { lacksAskedSupport } from "../src/calibration/asks-support.js";
import { createDomain } from "../src/calibration/domain.js";
import { featureHits, readFeatures } from "../src/calibration/features.js";
import { judge } from "../src/calibration/judge.js";
import { createDocsLibrarian } from "../src/docs-librarian.js";
import { extractAnswer } from "../src/extract/extract-answer.js";
import { weighQuery } from "../src/extract/query-weights.js";
import { stripQuestionFraming } from "../src/strip-question-framing.js";
import { isExcluded, isRelevant } from "./cases.js";
import { type AnswerCheck, checkAnswer } from "./check-answer.js";
import { domainOf } from "./domains.js";

/** What came of one query. */
export interface Measured {
  readonly query: BenchmarkQuery;
  readonly results: readonly { readonly file: string; readonly section: string }[];
  readonly ranking: RankingFigures;
  readonly answerable: number;
  readonly isAnswered: boolean;
  readonly isOutside: boolean;
  readonly confidence: number;
  readonly level: string;
  /** Whether the first section cited is right. */
  readonly isRight: boolean;
  readonly searchMs: number;
  /** The whole way through the librarian. */
  readonly answerMs: number;
  readonly check: AnswerCheck;
}

/** What the benchmark came to. */
export interface Measurement {
  readonly queries: readonly Measured[];
  readonly sections: number;
  readonly indexMs: number;
  readonly heapMb: number;
}

/** Hits that a run lists: the scorer takes the excluded ones out and counts ten. */
const listed = 30;

/**
 * Asks every query, of the search and of the librarian. Needs `--expose-gc` for the heap.
 *
 * @param embedder - Ranks by meaning too.
 */
export async function measure(
  { corpus, knowledgeBases, queries }: Benchmark,
  embedder?: Embedder,
): Promise<Measurement> {
  const ranked = embedder === undefined ? {} : { embedder };
  const analyzer = createAnalyzer();
  const measured: Measured[] = [];
  let sections = 0;
  let indexMs = 0;
  let heapMb = 0;
  for (const name of knowledgeBases) {
    const source = createMarkdownFolder(`${corpus}/${name}`);
    const before = heap();
    const started = performance.now();
    const base = await openKnowledgeBase({ source, ...ranked });
    await base.embedded();
    await base.search("warm up the index");
    indexMs += performance.now() - started;
    heapMb += heap() - before;
    sections += base.size;
    const text = domainOf(name);
    const domain = createDomain([text], analyzer);
    const { librarian, close } = createDocsLibrarian({
      pages: source,
      description: text,
      id: name,
      refreshMs: 3_600_000,
      ...ranked,
    });
    await librarian("warm up the index");

    for (const query of queries.filter(({ kb }) => kb === name)) {
      const searchStarted = performance.now();
      const all = await base.search(stripQuestionFraming(query.query), { limit: listed });
      const searchMs = performance.now() - searchStarted;
      const results = all.hits.map(({ section }) => ({
        file: section.file,
        section: section.heading,
      }));

      const answerStarted = performance.now();
      const response = await librarian(query.query);
      const answerMs = performance.now() - answerStarted;

      const result = await base.search(stripQuestionFraming(query.query), {
        limit: featureHits,
        filter: ({ file, heading }) => !isExcluded(query, file, heading),
      });
      const features = readFeatures(query.query, result, analyzer);
      const judgement = judge(features, lacksAskedSupport(query.query, result, analyzer));
      const weights = weighQuery(query.query, result.facts, analyzer);
      const { confidence } = judgement;
      const extracted = extractAnswer({
        query: query.query,
        result,
        features,
        confidence,
        weights,
        analyzer,
        base,
      });
      const top = result.hits[0]?.section;
      measured.push({
        query,
        results,
        ranking: judgeRun(query, { results, score: judgement.answerable }),
        answerable: judgement.answerable,
        isAnswered: judgement.isAnswered && extracted !== undefined,
        isOutside: !judgement.isAnswered && !domain.has(result.facts),
        confidence: extracted?.confidence ?? 0,
        level: extracted?.navigator.confidence ?? "low",
        isRight: top !== undefined && isRelevant(query, top.file, top.heading),
        searchMs,
        answerMs,
        check: checkAnswer(response, base),
      });
    }
    await close?.(new AbortController().signal);
    await base.close();
  }
  return { queries: measured, sections, indexMs, heapMb };
}

function heap(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1_048_576;
}

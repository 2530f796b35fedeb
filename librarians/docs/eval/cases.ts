import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import {
  createAnalyzer,
  createMarkdownFolder,
  type Embedder,
  openKnowledgeBase,
} from "@constellation/retrieval";
import type { Benchmark, BenchmarkQuery } from "../../../packages/retrieval/bench/benchmark.js";
import { isSameSection, normalHeading } from "../../../packages/retrieval/bench/heading-match.js";
import { featureHits, type RetrievalFeatures, readFeatures } from "../src/calibration/features.js";
import { stripQuestionFraming } from "../src/strip-question-framing.js";

/** A query with what the search reports about it. */
export interface Case {
  readonly query: BenchmarkQuery;
  readonly features: RetrievalFeatures;
  /** Whether the best section, or its page where the page was asked for, is right. */
  readonly isRight: boolean;
}

/**
 * Searches for every query, without the section that the query was taken from.
 *
 * @param embedder - Ranks by meaning too.
 */
export async function readCases(
  { corpus, knowledgeBases, queries }: Benchmark,
  embedder?: Embedder,
): Promise<readonly Case[]> {
  const analyzer = createAnalyzer();
  const cases: Case[] = [];
  for (const name of knowledgeBases) {
    const source = createMarkdownFolder(`${corpus}/${name}`);
    const knowledgeBase = await openKnowledgeBase({
      source,
      ...(embedder !== undefined && { embedder }),
    });
    await knowledgeBase.embedded();
    for (const query of queries.filter(({ kb }) => kb === name)) {
      const result = await knowledgeBase.search(stripQuestionFraming(query.query), {
        limit: featureHits,
        filter: ({ file, heading }) => !isExcluded(query, file, heading),
      });
      const top = result.hits[0]?.section;
      cases.push({
        query,
        features: readFeatures(query.query, result, analyzer),
        isRight: top !== undefined && isRelevant(query, top.file, top.heading),
      });
    }
    await knowledgeBase.close();
  }
  return cases;
}

/** The questions of people in `questions/`, over corpora in a folder with one folder per knowledge base. */
export function peopleBenchmark(corpora: string, split = "dev"): Benchmark {
  const file = fileURLToPath(new URL(`questions/${split}.jsonl`, import.meta.url));
  const queries = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line): BenchmarkQuery => {
      const query = JSON.parse(line) as BenchmarkQuery; // written by our own case author
      const relevant = query.relevant.map(({ file: page, section }) => {
        return { file: page, section, slug: "\0", scope: "section", near: [] };
      });
      return { ...query, relevant, provenance: { kind: "people" } };
    });
  const knowledgeBases = [...new Set(queries.map(({ kb }) => kb))].sort();
  return { corpus: corpora, knowledgeBases, queries };
}

/** Whether a place is where the query's own words come from: finding it shows nothing. */
export function isExcluded(
  { exclude = [] }: BenchmarkQuery,
  file: string,
  heading: string,
): boolean {
  return exclude.some(
    (each) =>
      each.file === file &&
      (each.section === undefined || normalHeading(each.section) === normalHeading(heading)),
  );
}

/** Whether a section answers a query; any of a page, where the page does. */
export function isRelevant(query: BenchmarkQuery, file: string, heading: string): boolean {
  return query.relevant.some(
    (each) => each.file === file && (each.scope !== "section" || isSameSection(heading, each)),
  );
}

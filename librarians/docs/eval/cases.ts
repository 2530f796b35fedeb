import { createAnalyzer, createMarkdownFolder, openKnowledgeBase } from "@constellation/retrieval";
import type { Benchmark, BenchmarkQuery } from "../../../packages/retrieval/bench/benchmark.js";
import { isSameSection, normalHeading } from "../../../packages/retrieval/bench/heading-match.js";
import { askedOf } from "../src/asked.js";
import { featureHits, featuresOf, type RetrievalFeatures } from "../src/judgement/features.js";

/** A query with what the search tells of it. */
export interface Case {
  readonly query: BenchmarkQuery;
  readonly features: RetrievalFeatures;
  /** Whether the best section, or its page where the page was asked for, is right. */
  readonly isRight: boolean;
}

/** Searches for every query, without the section that the query was taken from. */
export async function readCases({
  corpus,
  knowledgeBases,
  queries,
}: Benchmark): Promise<readonly Case[]> {
  const analyzer = createAnalyzer();
  const cases: Case[] = [];
  for (const name of knowledgeBases) {
    const source = createMarkdownFolder(`${corpus}/${name}`);
    const knowledgeBase = await openKnowledgeBase({ source });
    for (const query of queries.filter(({ kb }) => kb === name)) {
      const result = await knowledgeBase.search(askedOf(query.query), {
        limit: featureHits,
        filter: ({ file, heading }) => !isExcluded(query, file, heading),
      });
      const top = result.hits[0]?.section;
      cases.push({
        query,
        features: featuresOf(result, analyzer),
        isRight: top !== undefined && isRelevant(query, top.file, top.heading),
      });
    }
    await knowledgeBase.close();
  }
  return cases;
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

import type { BenchmarkQuery } from "./benchmark.js";
import { isSameSection, lastOf, normalHeading } from "./heading-match.js";

/** A place that was found. */
export interface Found {
  readonly file: string;
  readonly section: string;
}

/** What was found for one query, best first, and how sure the engine is that it can be answered. */
export interface QueryRun {
  readonly results: readonly Found[];
  readonly score: number;
}

/** Means over queries; sections over those that ask for one, files over all. */
export interface RankingFigures {
  readonly queries: number;
  readonly sectionQueries: number;
  readonly hit1: number;
  readonly hit5: number;
  readonly hit10: number;
  readonly mrr10: number;
  readonly ndcg10: number;
  readonly fileHit1: number;
  readonly fileHit5: number;
  readonly fileMrr10: number;
}

/** What one query adds to each figure. */
export function judge(query: BenchmarkQuery, run: QueryRun | undefined): RankingFigures {
  const excluded = query.exclude ?? [];
  const list = (run?.results ?? []).filter(
    (found) =>
      !excluded.some(
        ({ file, section }) =>
          file === found.file &&
          (section === undefined ||
            normalHeading(section) === normalHeading(lastOf(found.section))),
      ),
  );
  const wantedFiles = new Set(query.relevant.map(({ file }) => file));
  const files = [...new Set(list.map(({ file }) => file))].slice(0, 10);
  const fileAt = files.findIndex((file) => wantedFiles.has(file));
  const wanted = query.relevant.filter(({ scope }) => scope === "section");
  const gains = wanted.length === 0 ? [] : gainsOf(firstTen(list), wanted);
  const at = gains.indexOf(true);
  const distinct = new Set(wanted.map((each) => `${each.file}#${normalHeading(each.section)}`))
    .size;
  const ideal = new Array<boolean>(Math.min(10, distinct)).fill(true);
  return {
    queries: 1,
    sectionQueries: wanted.length > 0 ? 1 : 0,
    hit1: Number(at === 0),
    hit5: Number(at >= 0 && at < 5),
    hit10: Number(at >= 0),
    mrr10: at < 0 ? 0 : 1 / (at + 1),
    ndcg10: wanted.length === 0 ? 0 : discounted(gains) / discounted(ideal),
    fileHit1: Number(fileAt === 0),
    fileHit5: Number(fileAt >= 0 && fileAt < 5),
    fileMrr10: fileAt < 0 ? 0 : 1 / (fileAt + 1),
  };
}

/** The mean of relevance grades. */
export function meanOf(judged: readonly RankingFigures[]): RankingFigures {
  const sum = (key: keyof RankingFigures) => judged.reduce((total, each) => total + each[key], 0);
  const queries = sum("queries");
  const sectionQueries = sum("sectionQueries");
  const ofSections = (key: keyof RankingFigures) => sum(key) / Math.max(1, sectionQueries);
  const ofFiles = (key: keyof RankingFigures) => sum(key) / Math.max(1, queries);
  return {
    queries,
    sectionQueries,
    hit1: ofSections("hit1"),
    hit5: ofSections("hit5"),
    hit10: ofSections("hit10"),
    mrr10: ofSections("mrr10"),
    ndcg10: ofSections("ndcg10"),
    fileHit1: ofFiles("fileHit1"),
    fileHit5: ofFiles("fileHit5"),
    fileMrr10: ofFiles("fileMrr10"),
  };
}

/** How often a random answerable query scores above a random other one. */
export function auroc(answerable: readonly number[], others: readonly number[]): number {
  let wins = 0;
  for (const a of answerable) {
    for (const b of others) wins += a > b ? 1 : a === b ? 0.5 : 0;
  }
  return wins / Math.max(1, answerable.length * others.length);
}

function firstTen(list: readonly Found[]): readonly Found[] {
  const seen = new Set<string>();
  return list
    .filter(({ file, section }) => {
      const key = `${file}#${normalHeading(lastOf(section))}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, 10);
}

function gainsOf(top: readonly Found[], wanted: BenchmarkQuery["relevant"]): readonly boolean[] {
  const used = new Set<number>();
  return top.map((found) => {
    const at = wanted.findIndex(
      (each, place) =>
        !used.has(place) && each.file === found.file && isSameSection(found.section, each),
    );
    if (at < 0) return false;
    used.add(at);
    return true;
  });
}

function discounted(gains: readonly boolean[]): number {
  return gains.reduce((sum, gain, at) => sum + (gain ? 1 / Math.log2(at + 2) : 0), 0);
}

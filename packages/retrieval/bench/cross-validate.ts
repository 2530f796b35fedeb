import type { MarkdownPage, RerankOptions } from "@constellation/retrieval";
import type { BenchmarkQuery } from "./benchmark.js";
import { sectionEngine } from "./engines.js";
import { judge, meanOf, type RankingFigures } from "./metrics.js";

interface Judged {
  readonly query: BenchmarkQuery;
  readonly figures: RankingFigures;
}

/**
 * Chooses the weights of the second look by MRR on one part of the queries and scores the other:
 * by knowledge base (the figures a new one can expect) and by five random parts.
 */
export function crossValidate(
  pages: ReadonlyMap<string, readonly MarkdownPage[]>,
  queries: readonly BenchmarkQuery[],
): void {
  const tried = grid().map((rerank) => ({ rerank, judged: judgeAll(pages, queries, rerank) }));
  const none = judgeAll(pages, queries, {});
  show(
    "no second look",
    none.map(({ figures }) => figures),
  );
  const parts: readonly (readonly [string, (query: BenchmarkQuery) => string])[] = [
    ["left out: one knowledge base", ({ kb }) => kb],
    ["left out: one fifth", ({ id }) => String(hashOf(id) % 5)],
  ];
  for (const [name, partOf] of parts) {
    const chosen: string[] = [];
    const scored = [...new Set(queries.map(partOf))].sort().flatMap((part) => {
      const best = bestOf(tried, (query) => partOf(query) !== part);
      chosen.push(Object.values(best.rerank).join("/"));
      return best.judged.filter(({ query }) => partOf(query) === part);
    });
    show(
      name,
      scored.map(({ figures }) => figures),
      chosen.join(" "),
    );
  }
  const all = bestOf(tried, () => true);
  show(
    "fitted on all",
    all.judged.map(({ figures }) => figures),
    Object.values(all.rerank).join("/"),
  );
  show(
    "as it comes",
    judgeAll(pages, queries).map(({ figures }) => figures),
  );
}

function grid(): readonly Required<RerankOptions>[] {
  return [0, 0.15, 0.25, 0.35].flatMap((titleWeight) =>
    [0, 0.04, 0.07, 0.1].flatMap((lengthWeight) =>
      [0, 0.05, 0.1].map((siblingWeight) => ({
        titleWeight,
        wholeTitleWeight: 1.5 * titleWeight,
        lengthWeight,
        siblingWeight,
      })),
    ),
  );
}

function judgeAll(
  pages: ReadonlyMap<string, readonly MarkdownPage[]>,
  queries: readonly BenchmarkQuery[],
  rerank?: RerankOptions,
): readonly Judged[] {
  return [...pages].flatMap(([kb, ofKb]) => {
    const engine = sectionEngine(ofKb, rerank === undefined ? {} : { rerank });
    return queries
      .filter((query) => query.kb === kb && query.type === "answerable")
      .map((query) => ({ query, figures: judge(query, engine.search(query.query)) }));
  });
}

function bestOf<Tried extends { readonly judged: readonly Judged[] }>(
  tried: readonly Tried[],
  isUsed: (query: BenchmarkQuery) => boolean,
): Tried {
  const mrr = ({ judged }: Tried) =>
    meanOf(judged.filter(({ query }) => isUsed(query)).map(({ figures }) => figures)).mrr10;
  return tried.reduce((best, each) => (mrr(each) > mrr(best) ? each : best));
}

function show(name: string, figures: readonly RankingFigures[], note = ""): void {
  const { hit1, hit5, hit10, mrr10, ndcg10, fileHit1 } = meanOf(figures);
  const cells = { hit1, hit5, hit10, mrr10, ndcg10, fileHit1 };
  const text = Object.entries(cells).map(([key, value]) => `${key} ${value.toFixed(3)}`);
  console.log(`${name.padEnd(30)} ${text.join("  ")}  ${note}`);
}

function hashOf(text: string): number {
  return [...text].reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 9973, 7);
}
